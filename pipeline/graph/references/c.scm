; scopes
((function_definition declarator: (function_declarator declarator: (identifier) @name parameters: (_) @params)) @node
  (#set! role "function"))
((function_definition type: (_) @type declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name
  parameters: (_) @params))) @node (#set! role "function"))
((function_definition declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator
  declarator: (identifier) @name parameters: (_) @params)))) @node (#set! role "function"))
((function_definition type: (type_identifier) declarator: (parenthesized_declarator (identifier) @name)) @node (#set! role "function"))
((function_definition type: (_) @type) @node (#set! role "function"))
((function_definition (storage_class_specifier) @flag) @node (#set! role "function"))
((preproc_function_def name: (identifier) @name parameters: (preproc_params) @params) @node (#set! role "function") (#set! kind "macro"))
((struct_specifier name: (type_identifier) @name body: (_)) @node (#set! role "class") (#set! kind "struct"))
((union_specifier name: (type_identifier) @name body: (_)) @node (#set! role "class") (#set! kind "struct"))
((enum_specifier name: (type_identifier) @name body: (_)) @node (#set! role "class") (#set! kind "enum"))
((type_definition type: [(struct_specifier !name body: (_)) (union_specifier !name body: (_))] @node
  declarator: (type_identifier) @name) (#set! role "class") (#set! kind "struct"))

; bindings
((declaration declarator: (function_declarator declarator: (identifier) @name)) (#set! role "bind") (#set! kind "prototype"))
((declaration declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))
  (#set! role "bind") (#set! kind "prototype"))
((declaration declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator
  declarator: (identifier) @name)))) (#set! role "bind") (#set! kind "prototype"))
((parameter_declaration type: (_) @type declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name)
  (array_declarator declarator: (identifier) @name) (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @name))])
  (#set! role "bind") (#set! kind "parameter"))
((parameter_declaration declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator
  declarator: (identifier) @name)))) (#set! role "bind") (#set! kind "parameter"))
((declaration type: (_) @type declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name)
  (array_declarator declarator: (identifier) @name)]) (#set! role "bind") (#set! kind "variable"))
((declaration type: (_) @type declarator: (init_declarator declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name)
  (array_declarator declarator: (identifier) @name)] value: (_) @value)) (#set! role "bind") (#set! kind "variable"))
((declaration declarator: [(function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))
  (init_declarator declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name))))])
  (#set! role "bind") (#set! kind "variable"))
((field_declaration type: (_) @type declarator: [(field_identifier) @name (pointer_declarator declarator: (field_identifier) @name)
  (array_declarator declarator: (field_identifier) @name)]) (#set! role "bind") (#set! kind "field"))
((type_definition type: (_) @type declarator: [(type_identifier) @name (pointer_declarator declarator: (type_identifier) @name)])
  (#set! role "bind") (#set! kind "type"))

; imports
((preproc_include path: (_) @module) (#set! role "import") (#set! kind "include"))

; references
((call_expression function: (_) @callee arguments: (_) @args) (#set! role "call"))
((argument_list (identifier) @value) (#set! role "value"))
((argument_list (pointer_expression argument: (identifier) @value)) (#set! role "value"))
((initializer_list (identifier) @value) (#set! role "value"))
((initializer_pair value: (identifier) @value) (#set! role "value"))
((assignment_expression right: (identifier) @value) (#set! role "value"))
((struct_specifier name: (type_identifier) @value !body) (#set! role "type"))
