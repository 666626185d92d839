; scopes
((function_declaration name: (identifier) @name parameters: (parameter_list) @params result: (_)? @type) @node (#set! role "function"))
((method_declaration receiver: (parameter_list (parameter_declaration type: (_) @owner)) name: (field_identifier) @name
  parameters: (parameter_list) @params result: (_)? @type) @node (#set! role "function"))
((method_elem name: (field_identifier) @name parameters: (parameter_list) @params result: (_)? @type) @node (#set! role "function"))
([(func_literal) (function_type)] @node (#set! role "lambda"))
((type_spec name: (type_identifier) @name type: (struct_type) @node) (#set! role "class") (#set! kind "struct"))
((type_spec name: (type_identifier) @name type: (interface_type) @node) (#set! role "class") (#set! kind "interface"))
([(struct_type) (interface_type)] @node (#set! role "class") (#set! kind "object"))

; bindings
((type_spec name: (type_identifier) @name type: [(type_identifier) (qualified_type) (pointer_type) (array_type) (slice_type) (map_type)
  (channel_type) (function_type) (generic_type) (parenthesized_type)] @type) (#set! role "bind") (#set! kind "class"))
((type_alias name: (type_identifier) @name type: (_) @type) (#set! role "bind") (#set! kind "type"))
((parameter_declaration name: (identifier) @name type: (_) @type) (#set! role "bind") (#set! kind "parameter"))
((variadic_parameter_declaration name: (identifier) @name type: (_) @type) (#set! role "bind") (#set! kind "parameter") (#set! wrap "[]"))
((type_parameter_declaration name: (identifier) @name type: (_) @type) (#set! role "bind") (#set! kind "type"))
((field_declaration name: (field_identifier) @name type: (_) @type) (#set! role "bind") (#set! kind "field"))
((var_spec name: (identifier) @name type: (_) @type) (#set! role "bind") (#set! kind "variable"))
((var_spec name: (identifier) @name !type value: (expression_list . (_) @value .)) (#set! role "bind") (#set! kind "variable"))
((const_spec name: (identifier) @name type: (_)? @type) (#set! role "bind") (#set! kind "variable"))
((short_var_declaration left: (_) @name right: (_) @value) (#set! role "bind") (#set! kind "variable"))
((range_clause left: (_) @name right: (_) @value) (#set! role "bind") (#set! kind "variable") (#set! suffix "@"))
((receive_statement left: (_) @name right: (_) @value) (#set! role "bind") (#set! kind "variable") (#set! suffix "~"))
((type_switch_statement alias: (expression_list (identifier) @name) (type_case type: (_) @type))
  (#set! role "bind") (#set! kind "variable") (#set! after "type"))

; imports
((package_clause (package_identifier) @module) (#set! role "import") (#set! kind "package"))
((import_spec name: (_)? @alias path: (_) @module) (#set! role "import") (#set! kind "import"))

; bases
((struct_type (field_declaration_list (field_declaration !name type: (_) @value))) (#set! role "base") (#set! kind "embeds"))
((interface_type (type_elem . [(type_identifier) (qualified_type) (generic_type)] @value .)) (#set! role "base") (#set! kind "embeds"))

; references
((call_expression function: (_) @callee arguments: (_) @args) (#set! role "call"))
((type_conversion_expression type: (generic_type type: (_) @callee)) (#set! role "call"))
((composite_literal type: [(type_identifier) (qualified_type)] @value) (#set! role "type"))
((argument_list (identifier) @value) (#set! role "value"))
((keyed_element value: (literal_element (identifier) @value)) (#set! role "value"))
((literal_value (literal_element (identifier) @value)) (#set! role "value"))
