; classes, namespaces and references over C; read before c.scm, so that what is named here keeps its name
((function_definition declarator: (function_declarator declarator: (identifier) @_macro parameters: (parameter_list
  . (parameter_declaration type: (type_identifier)) . (parameter_declaration type: (type_identifier) @name)))) @node
  (#match? @_macro "^([A-Z]+_)*TEST(_[A-Z]+)*$") (#set! role "function") (#set! kind "test"))
((function_definition declarator: [
    (function_declarator declarator: (qualified_identifier) @qualified parameters: (_) @params)
    (pointer_declarator declarator: (function_declarator declarator: (qualified_identifier) @qualified parameters: (_) @params))
    (reference_declarator (function_declarator declarator: (qualified_identifier) @qualified parameters: (_) @params))
  ]) @node (#set! role "function"))
((function_definition declarator: [
    (function_declarator declarator: [(field_identifier) (destructor_name) (operator_name)] @name parameters: (_) @params)
    (pointer_declarator declarator: (function_declarator declarator: [(field_identifier) (operator_name)] @name parameters: (_) @params))
    (reference_declarator (function_declarator declarator: [(identifier) (field_identifier) (operator_name)] @name parameters: (_) @params))
  ]) @node (#set! role "function"))
((class_specifier name: [(type_identifier) (template_type)] @name body: (_)) @node (#set! role "class"))
((struct_specifier name: (template_type) @name body: (_)) @node (#set! role "class") (#set! kind "struct"))
((namespace_definition name: (_) @name) @node (#set! role "class") (#set! kind "namespace"))
((namespace_definition "namespace" @flag !name body: (declaration_list (function_definition) @node)) (#set! role "function"))
((lambda_expression) @node (#set! role "lambda"))

; bindings
((field_declaration type: (_) @type declarator: [
    (function_declarator declarator: [(field_identifier) (operator_name)] @name)
    (pointer_declarator declarator: (function_declarator declarator: (field_identifier) @name))
    (reference_declarator (function_declarator declarator: (field_identifier) @name))
  ]) (#set! role "bind") (#set! kind "prototype"))
((declaration declarator: (reference_declarator (function_declarator declarator: (identifier) @name)))
  (#set! role "bind") (#set! kind "prototype"))
((parameter_declaration type: (_) @type declarator: (reference_declarator (identifier) @name)) (#set! role "bind") (#set! kind "parameter"))
((optional_parameter_declaration type: (_) @type declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name)
  (reference_declarator (identifier) @name)]) (#set! role "bind") (#set! kind "parameter"))
((declaration type: (_) @type declarator: (init_declarator declarator: (reference_declarator (identifier) @name) value: (_) @value))
  (#set! role "bind") (#set! kind "variable"))
((field_declaration type: (_) @type declarator: (reference_declarator (field_identifier) @name)) (#set! role "bind") (#set! kind "field"))
((for_range_loop type: (_) @type declarator: [(identifier) @name (reference_declarator (identifier) @name)] right: (_) @value)
  (#set! role "bind") (#set! kind "variable") (#set! suffix "@"))
((condition_clause value: (declaration type: (_) @type declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name)]
  value: (_) @value)) (#set! role "bind") (#set! kind "variable"))
((alias_declaration name: (type_identifier) @name type: (_) @type) (#set! role "bind") (#set! kind "type"))

; imports
([(translation_unit (using_declaration "namespace" [(identifier) (qualified_identifier)] @module))
  (declaration_list (using_declaration "namespace" [(identifier) (qualified_identifier)] @module))
  (compound_statement (using_declaration "namespace" [(identifier) (qualified_identifier)] @module))]
  (#set! role "import") (#set! kind "import") (#set! name "*"))
([(translation_unit (using_declaration "using" . (qualified_identifier) @module))
  (declaration_list (using_declaration "using" . (qualified_identifier) @module))
  (compound_statement (using_declaration "using" . (qualified_identifier) @module))] (#set! role "import") (#set! kind "import"))
((namespace_alias_definition name: (_) @alias [(namespace_identifier) (nested_namespace_specifier)] @module .)
  (#set! role "import") (#set! kind "import"))

; bases
((base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @value) (#set! role "base"))

; references
((new_expression type: (_) @callee arguments: (_)? @args) (#set! role "call"))
((declaration type: [(type_identifier) (qualified_identifier) (template_type)] @callee
  declarator: (init_declarator value: [(argument_list) (initializer_list)] @args)) (#set! role "call"))
((field_initializer (field_identifier) @callee (argument_list) @args) (#set! role "call"))
