; scopes
((class_declaration "class" (type_identifier) @name) @node (#set! role "class"))
((class_declaration "interface" (type_identifier) @name) @node (#set! role "class") (#set! kind "interface"))
((object_declaration (type_identifier) @name) @node (#set! role "class"))
((object_literal) @node (#set! role "class") (#set! kind "anonymous"))
((function_declaration receiver: (receiver_type (_) @receiver)? (simple_identifier) @name (function_value_parameters) @params
  . [(user_type) (nullable_type) (function_type)]? @type) @node (#set! role "function"))
((function_declaration (modifiers (visibility_modifier) @flag)) @node (#set! role "function"))
((function_declaration (function_value_parameters (parameter_modifiers (parameter_modifier) @flag))) @node (#set! role "function"))
((property_declaration (variable_declaration (simple_identifier) @name . [(user_type) (nullable_type)]? @type) (getter)) @node
  (#set! role "function") (#set! kind "property"))
([(lambda_literal) (anonymous_function)] @node (#set! role "lambda"))

; bindings
((parameter (simple_identifier) @name . (_) @type) (#set! role "bind") (#set! kind "parameter"))
((class_parameter (simple_identifier) @name . (_) @type) (#set! role "bind") (#set! kind "field"))
((lambda_parameters (variable_declaration (simple_identifier) @name . (_)? @type)) (#set! role "bind") (#set! kind "parameter"))
((property_declaration (variable_declaration (simple_identifier) @name . (_)? @type) . (_)? @value) (#set! role "bind") (#set! kind "variable"))
((multi_variable_declaration (variable_declaration (simple_identifier) @name)) (#set! role "bind") (#set! kind "variable"))
((class_declaration (type_identifier) @type (enum_class_body (enum_entry (simple_identifier) @name))) (#set! role "bind") (#set! kind "field"))
((for_statement (variable_declaration (simple_identifier) @name . (_)? @type) . (_) @value)
  (#set! role "bind") (#set! kind "variable") (#set! suffix "@"))
((catch_block (simple_identifier) @name . (_) @type) (#set! role "bind") (#set! kind "variable"))
((type_alias (type_identifier) @name (_) @type .) (#set! role "bind") (#set! kind "type"))
((type_parameter (type_identifier) @name . (_)? @type) (#set! role "bind") (#set! kind "type"))
((function_body . (_) @value .) (#set! role "return"))

; imports
((package_header (identifier) @module) (#set! role "import") (#set! kind "package"))
((import_header (identifier) @module [(wildcard_import) @star (import_alias (type_identifier) @alias)]?)
  (#set! role "import") (#set! kind "import"))

; bases
((delegation_specifier [(user_type) @value (constructor_invocation . (user_type) @value)]) (#set! role "base") (#set! kind "inherits"))
((delegation_specifier (explicit_delegation . (user_type) @value)) (#set! role "base") (#set! kind "inherits"))

; references
((call_expression . (_) @callee (call_suffix (value_arguments) @args)) (#set! role "call"))
((call_expression . (_) @callee (call_suffix . (annotated_lambda) @args)) (#set! role "call"))
((constructor_invocation . (user_type) @callee (value_arguments) @args) (#set! role "call"))
((annotation (user_type) @value) (#set! role "decorator"))
((annotation (constructor_invocation . (user_type) @value)) (#set! role "decorator"))
((callable_reference . (simple_identifier) @value .) (#set! role "value"))
((value_argument (simple_identifier) @value) (#set! role "value"))
