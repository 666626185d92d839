; scopes
((class_declaration name: (identifier) @name) @node (#set! role "class"))
((record_declaration name: (identifier) @name) @node (#set! role "class"))
((enum_declaration name: (identifier) @name) @node (#set! role "class") (#set! kind "enum"))
((interface_declaration name: (identifier) @name) @node (#set! role "class") (#set! kind "interface"))
((annotation_type_declaration name: (identifier) @name) @node (#set! role "class") (#set! kind "interface"))
((object_creation_expression (class_body)) @node (#set! role "class") (#set! kind "anonymous"))
((enum_constant body: (class_body) @node) (#set! role "class") (#set! kind "anonymous"))
((method_declaration type: (_) @type name: (identifier) @name parameters: (formal_parameters) @params) @node (#set! role "function"))
((method_declaration (modifiers "static" @flag)) @node (#set! role "function"))
((constructor_declaration name: (identifier) @name parameters: (formal_parameters) @params) @node
  (#set! role "function") (#set! kind "constructor"))
((compact_constructor_declaration name: (identifier) @name) @node (#set! role "function") (#set! kind "constructor"))
((annotation_type_element_declaration type: (_) @type name: (identifier) @name) @node (#set! role "function"))
((lambda_expression) @node (#set! role "lambda"))

; bindings
((field_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @name value: (_)? @value))
  (#set! role "bind") (#set! kind "field"))
((constant_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @name)) (#set! role "bind") (#set! kind "field"))
((local_variable_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @name value: (_)? @value))
  (#set! role "bind") (#set! kind "variable"))
((formal_parameter type: (_) @type name: (identifier) @name) (#set! role "bind") (#set! kind "parameter"))
((spread_parameter [(type_identifier) (generic_type) (scoped_type_identifier) (array_type) (integral_type)] @type
  (variable_declarator name: (identifier) @name)) (#set! role "bind") (#set! kind "parameter") (#set! wrap "..."))
((lambda_expression parameters: (identifier) @name) (#set! role "bind") (#set! kind "parameter"))
((inferred_parameters (identifier) @name) (#set! role "bind") (#set! kind "parameter"))
((enhanced_for_statement type: (_) @type name: (identifier) @name value: (_) @value)
  (#set! role "bind") (#set! kind "variable") (#set! suffix "@"))
((resource type: (_) @type name: (identifier) @name value: (_) @value) (#set! role "bind") (#set! kind "variable"))
((catch_formal_parameter (catch_type (_) @type) name: (identifier) @name) (#set! role "bind") (#set! kind "variable"))
((instanceof_expression right: (_) @type name: (identifier) @name) (#set! role "bind") (#set! kind "variable"))
((type_pattern (_) @type (identifier) @name) (#set! role "bind") (#set! kind "variable"))
((record_declaration parameters: (formal_parameters (formal_parameter type: (_) @type name: (identifier) @name)))
  (#set! role "bind") (#set! kind "field"))
((enum_declaration name: (identifier) @type body: (enum_body (enum_constant name: (identifier) @name)))
  (#set! role "bind") (#set! kind "field"))
((type_parameter (type_identifier) @name (type_bound . (_) @type)?) (#set! role "bind") (#set! kind "type"))

; imports
((package_declaration (_) @module) (#set! role "import") (#set! kind "package"))
((import_declaration "static"? @static [(scoped_identifier) (identifier)] @module (asterisk)? @star) (#set! role "import") (#set! kind "import"))

; bases
((superclass (_) @value) (#set! role "base"))
((super_interfaces (type_list (_) @value)) (#set! role "base") (#set! kind "implements"))
((extends_interfaces (type_list (_) @value)) (#set! role "base"))
((object_creation_expression type: (_) @value (class_body)) (#set! role "base"))

; references
((method_invocation object: (_)? @target name: (identifier) @method arguments: (_) @args) (#set! role "call"))
((object_creation_expression type: (_) @callee arguments: (_) @args) (#set! role "call"))
((explicit_constructor_invocation constructor: (_) @callee arguments: (_) @args) (#set! role "call"))
((method_reference . (_) @target (identifier) @method .) (#set! role "call"))
((marker_annotation name: (_) @value) (#set! role "decorator"))
((annotation name: (_) @value) (#set! role "decorator"))
((class_literal (_) @value) (#set! role "type"))
((argument_list (identifier) @value) (#set! role "value"))
