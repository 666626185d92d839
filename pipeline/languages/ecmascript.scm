; Shared by JavaScript and TypeScript.

(export_statement) @wrap
(decorator) @attribute

(function_declaration name: (identifier) @name body: (_) @body) @function
(generator_function_declaration name: (identifier) @name body: (_) @body) @function
(class_body (method_definition name: (_) @name body: (_) @body) @function)

; Anonymous default exports go by the word `default`.
(export_statement "default" @name value: (arrow_function body: (_) @body)) @function
(export_statement "default" @name value: (function_expression !name body: (_) @body)) @function
(export_statement "default" @name value: (generator_function !name body: (_) @body)) @function
(export_statement "default" @name value: (class !name body: (_) @body)) @class
(export_statement "default" @name value: (object) @body) @variable
(export_statement "default" @name value: (call_expression)) @variable
(export_statement value: (function_expression name: (identifier) @name body: (_) @body)) @function

; Functions and classes bound to a name, anywhere.
(lexical_declaration (variable_declarator name: (identifier) @name value: [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)
  (generator_function body: (_) @body)
])) @function
(variable_declaration (variable_declarator name: (identifier) @name value: [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)
  (generator_function body: (_) @body)
])) @function
(lexical_declaration (variable_declarator name: (identifier) @name value: (class body: (_) @body))) @class
(variable_declaration (variable_declarator name: (identifier) @name value: (class body: (_) @body))) @class

; Wrappers whose result is the function that they are given; what other calls return is not known.
(lexical_declaration (variable_declarator name: (identifier) @name value: (call_expression
  function: _ @wrapper
  arguments: (arguments . [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
  ])))
  (#match? @wrapper "^(React[.])?(memo|forwardRef|useCallback|observer|lazy|cache|debounce|throttle|once|memoize|asyncHandler|with[A-Z][A-Za-z]*)$")) @function

; Names of the module.
(program (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name value: (object) @body)) @constant)
(program (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name)) @constant)
(program (lexical_declaration kind: "let" (variable_declarator name: (identifier) @name)) @variable)
(program (variable_declaration (variable_declarator name: (identifier) @name value: (object) @body)) @variable)
(program (variable_declaration (variable_declarator name: (identifier) @name)) @variable)
(export_statement (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name value: (object) @body)) @constant)
(export_statement (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name)) @constant)
(export_statement (lexical_declaration kind: "let" (variable_declarator name: (identifier) @name)) @variable)
(export_statement (variable_declaration (variable_declarator name: (identifier) @name)) @variable)

; Assignments that define: exports.x, module.exports.x, Type.prototype.x, Type.x.
(expression_statement (assignment_expression
  left: (member_expression
    object: (member_expression object: (_) @owner property: (property_identifier) @_prototype)
    property: (property_identifier) @name)
  right: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ])
  (#eq? @_prototype "prototype")) @method
(expression_statement (assignment_expression
  left: (member_expression object: (_) @_exports property: (property_identifier) @name)
  right: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ])
  (#match? @_exports "^(module[.])?exports$")) @function
(expression_statement (assignment_expression
  left: (member_expression object: (_) @_exports property: (property_identifier) @name)
  right: (object) @body)
  (#match? @_exports "^(module[.])?exports$")) @variable
(expression_statement (assignment_expression
  left: (member_expression object: (_) @_exports property: (property_identifier) @name)
  right: (class body: (_) @body))
  (#match? @_exports "^(module[.])?exports$")) @class
(program (expression_statement (assignment_expression
  left: (member_expression object: (identifier) @owner property: (property_identifier) @name)
  right: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ])
  (#not-match? @owner "^(exports|window|global|globalThis|self|module)$")) @method)
(program (expression_statement (assignment_expression
  left: (member_expression object: (identifier) property: (property_identifier) @name)
  right: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
  ])) @function)

; Members of an object that has a name.
(variable_declarator value: (object (method_definition name: (_) @name body: (_) @body) @method))
(variable_declarator value: (object (pair key: (property_identifier) @name value: [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)
]) @method))
(assignment_expression right: (object (method_definition name: (_) @name body: (_) @body) @method))
(assignment_expression right: (object (pair key: (property_identifier) @name value: [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)
]) @method))
(export_statement value: (object (method_definition name: (_) @name body: (_) @body) @method))
(export_statement value: (object (pair key: (property_identifier) @name value: [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)
]) @method))
