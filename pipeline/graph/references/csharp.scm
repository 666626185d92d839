; scopes
((namespace_declaration name: (_) @name) @node (#set! role "class") (#set! kind "namespace"))
((class_declaration (modifier)? @flag name: (identifier) @name) @node (#set! role "class"))
((struct_declaration (modifier)? @flag name: (identifier) @name) @node (#set! role "class") (#set! kind "struct"))
((record_declaration (modifier)? @flag name: (identifier) @name) @node (#set! role "class"))
((interface_declaration (modifier)? @flag name: (identifier) @name) @node (#set! role "class") (#set! kind "interface"))
((enum_declaration name: (identifier) @name) @node (#set! role "class") (#set! kind "enum"))
((delegate_declaration name: (identifier) @name) @node (#set! role "class") (#set! kind "interface"))
((method_declaration (modifier)? @flag returns: (_) @type name: (identifier) @name parameters: (_) @params) @node (#set! role "function"))
((method_declaration parameters: (parameter_list . (parameter (modifier) @_m type: (_) @receiver))) @node
  (#eq? @_m "this") (#set! role "function"))
((constructor_declaration name: (identifier) @name parameters: (_) @params) @node (#set! role "function") (#set! kind "constructor"))
((local_function_statement type: (_) @type name: (identifier) @name parameters: (_) @params) @node (#set! role "function"))
((property_declaration type: (_) @type name: (identifier) @name) @node (#set! role "function") (#set! kind "property"))
([(lambda_expression) (anonymous_method_expression)] @node (#set! role "lambda"))

; bindings
((variable_declaration type: (_) @type (variable_declarator name: (identifier) @name . (_)? @value)) (#set! role "bind") (#set! kind "variable"))
((variable_declarator (tuple_pattern) @name . (_) @value) (#set! role "bind") (#set! kind "variable"))
((parameter type: (_)? @type name: (identifier) @name) (#set! role "bind") (#set! kind "parameter"))
((parameter_list type: (_) @type name: (identifier) @name) (#set! role "bind") (#set! kind "parameter"))
((lambda_expression parameters: (implicit_parameter) @name) (#set! role "bind") (#set! kind "parameter"))
([(class_declaration (parameter_list (parameter type: (_) @type name: (identifier) @name)))
  (struct_declaration (parameter_list (parameter type: (_) @type name: (identifier) @name)))
  (record_declaration (parameter_list (parameter type: (_) @type name: (identifier) @name)))] (#set! role "bind") (#set! kind "field"))
((enum_declaration name: (identifier) @type body: (enum_member_declaration_list (enum_member_declaration name: (identifier) @name)))
  (#set! role "bind") (#set! kind "field"))
((foreach_statement type: (_) @type left: (identifier) @name right: (_) @value) (#set! role "bind") (#set! kind "variable") (#set! suffix "@"))
((catch_declaration type: (_) @type name: (identifier) @name) (#set! role "bind") (#set! kind "variable"))
((declaration_pattern type: (_) @type name: (identifier) @name) (#set! role "bind") (#set! kind "variable"))
((declaration_expression type: (_) @type name: (identifier) @name) (#set! role "bind") (#set! kind "variable"))
((type_parameter name: (identifier) @name) (#set! role "bind") (#set! kind "type"))
((type_parameter_constraints_clause (identifier) @name (type_parameter_constraint type: (_) @type)) (#set! role "bind") (#set! kind "type"))

; imports
((file_scoped_namespace_declaration name: (_) @module) (#set! role "import") (#set! kind "package"))
((using_directive !name [(identifier) (qualified_name)] @module) (#set! role "import") (#set! kind "import") (#set! name "*"))
((using_directive "global" !name [(identifier) (qualified_name)] @module) (#set! role "import") (#set! kind "everywhere") (#set! name "*"))
((using_directive name: (identifier) @alias (_) @module .) (#set! role "import") (#set! kind "import"))

; bases
((base_list [(identifier) (generic_name) (qualified_name)] @value) (#set! role "base") (#set! kind "inherits"))
((base_list (primary_constructor_base_type type: (_) @value)) (#set! role "base") (#set! kind "inherits"))

; references
((invocation_expression function: (_) @callee arguments: (_) @args) (#set! role "call"))
((object_creation_expression type: (_) @callee arguments: (_)? @args) (#set! role "call"))
((constructor_initializer ["base" "this"] @callee (argument_list) @args) (#set! role "call"))
((attribute name: (_) @value) (#set! role "decorator"))
((typeof_expression type: (_) @value) (#set! role "type"))
((argument [(identifier) (member_access_expression)] @value) (#set! role "value"))
