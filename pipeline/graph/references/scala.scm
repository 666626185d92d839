; scopes
((class_definition name: (identifier) @name) @node (#set! role "class"))
((object_definition "object" @flag name: (identifier) @name) @node (#set! role "class"))
((package_object "object" @flag name: (identifier) @name) @node (#set! role "class"))
((trait_definition name: (identifier) @name) @node (#set! role "class") (#set! kind "trait"))
((enum_definition name: (identifier) @name) @node (#set! role "class") (#set! kind "enum"))
((instance_expression (template_body)) @node (#set! role "class") (#set! kind "anonymous"))
([(function_definition name: (identifier) @name parameters: (parameters)? @params return_type: (_)? @type)
  (function_declaration name: (identifier) @name parameters: (parameters)? @params return_type: (_)? @type)] @node (#set! role "function"))
((extension_definition parameters: (parameters . (parameter type: (_) @receiver)) body: (function_definition) @node) (#set! role "function"))
((class_definition (modifiers) @_m class_parameters: (class_parameters . (class_parameter type: (_) @receiver))
  body: (template_body (function_definition) @node)) (#match? @_m "implicit") (#set! role "function"))
((lambda_expression) @node (#set! role "lambda"))

; bindings
((parameter name: (identifier) @name type: (_) @type) (#set! role "bind") (#set! kind "parameter"))
((class_parameter name: (identifier) @name type: (_)? @type) (#set! role "bind") (#set! kind "field"))
((lambda_expression parameters: [(identifier) @name (bindings (binding name: (identifier) @name type: (_)? @type))])
  (#set! role "bind") (#set! kind "parameter"))
([(val_definition pattern: [(identifier) (tuple_pattern)] @name type: (_)? @type value: (_)? @value)
  (var_definition pattern: [(identifier) (tuple_pattern)] @name type: (_)? @type value: (_)? @value)]
  (#set! role "bind") (#set! kind "variable"))
([(val_declaration name: (identifier) @name type: (_) @type) (var_declaration name: (identifier) @name type: (_) @type)]
  (#set! role "bind") (#set! kind "variable"))
((enumerator . (identifier) @name "<-" (_) @value) (#set! role "bind") (#set! kind "variable") (#set! suffix "@"))
((enumerator . (identifier) @name "=" (_) @value) (#set! role "bind") (#set! kind "variable"))
((typed_pattern pattern: (identifier) @name type: (_) @type) (#set! role "bind") (#set! kind "variable"))
((case_class_pattern pattern: (identifier) @name) (#set! role "bind") (#set! kind "variable"))
((case_clause pattern: (identifier) @name) (#set! role "bind") (#set! kind "variable"))
((enum_definition name: (identifier) @type body: (enum_body (enum_case_definitions (simple_enum_case name: (identifier) @name))))
  (#set! role "bind") (#set! kind "field"))
((type_definition name: (type_identifier) @name type: (_)? @type) (#set! role "bind") (#set! kind "type"))
((type_parameters name: (identifier) @name) (#set! role "bind") (#set! kind "type"))
((function_definition body: [(call_expression) (identifier) (field_expression) (instance_expression)] @value) (#set! role "return"))
((function_definition body: (block (_) @value .)) (#set! role "return"))

; imports
((package_clause name: (_) @module) (#set! role "import") (#set! kind "package"))
((import_declaration) @module (#set! role "use") (#set! kind "import"))

; bases
((extends_clause [(type_identifier) (generic_type) (stable_type_identifier)] @value) (#set! role "base") (#set! kind "inherits"))
((instance_expression . (_) @value (template_body)) (#set! role "base") (#set! kind "inherits"))

; references
((call_expression function: (_) @callee arguments: (_) @args) (#set! role "call"))
((instance_expression . (_) @callee (arguments) @args) (#set! role "call"))
((instance_expression . (type_identifier) @callee @args .) (#set! role "call"))
((instance_expression . (stable_type_identifier) @callee .) (#set! role "call"))
((field_expression value: (_) field: (identifier)) @value (#set! role "value") (#set! kind "call"))
((annotation name: (_) @value) (#set! role "decorator"))
((arguments (identifier) @value) (#set! role "value"))
