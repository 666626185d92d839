; Shared by JavaScript and TypeScript.

(export_statement) @wrap
(decorator) @attribute

(function_declaration name: (identifier) @name body: (_) @body) @function
(generator_function_declaration name: (identifier) @name body: (_) @body) @function
(method_definition name: (_) @name body: (_) @body) @method

; Anonymous default exports go by the word `default`.
(export_statement "default" @name value: (arrow_function body: (_) @body)) @function
(export_statement "default" @name value: (function_expression !name body: (_) @body)) @function
(export_statement "default" @name value: (generator_function !name body: (_) @body)) @function
(export_statement "default" @name value: (class !name body: (_) @body)) @class
(export_statement "default" @name value: (object) @body) @variable
(export_statement "default" @name value: (call_expression arguments: (_) @body)) @variable
(export_statement value: (function_expression name: (identifier) @name body: (_) @body)) @function

; Functions and classes bound to a name, anywhere.
(variable_declarator name: (identifier) @name value: [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)
  (generator_function body: (_) @body)
]) @function
(variable_declarator name: (identifier) @name value: (class body: (_) @body)) @class

; Wrappers whose result is the function that they are given; what other calls return is not known.
((variable_declarator name: (identifier) @name value: (call_expression
  function: _ @_wrapper
  arguments: (arguments . [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
  ]))) @function
  (#match? @_wrapper "^(React[.])?(memo|forwardRef|useCallback|observer|lazy|cache|debounce|throttle|once|memoize|asyncHandler|with[A-Z][A-Za-z]*)$"))
((variable_declarator name: (identifier) @name value: (call_expression
  function: _ @_wrapper
  arguments: (arguments . (call_expression arguments: (arguments . [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
  ]))))) @function
  (#match? @_wrapper "^(React[.])?(memo|observer)$"))

; Names of the module.
(program (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name value: (object) @body) @constant))
(program (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name) @constant))
(program (lexical_declaration (variable_declarator name: (identifier) @name) @variable))
(program (variable_declaration (variable_declarator name: (identifier) @name value: (object) @body) @variable))
(program (variable_declaration (variable_declarator name: (identifier) @name) @variable))
(program (export_statement (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name value: (object) @body) @constant)))
(program (export_statement (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name) @constant)))
(program (export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @variable)))
(program (export_statement (variable_declaration (variable_declarator name: (identifier) @name) @variable)))
(program (export_statement (lexical_declaration (variable_declarator
  name: (object_pattern (shorthand_property_identifier_pattern) @name)) @constant)))

; Assignments that define: exports.x, module.exports.x, Type.prototype.x, Type.x.
((expression_statement (assignment_expression
  left: (member_expression
    object: (member_expression object: (_) @owner property: (property_identifier) @_prototype)
    property: (property_identifier) @name)
  right: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ])) @method
  (#eq? @_prototype "prototype"))
((assignment_expression
  left: (member_expression object: (_) @_exports property: (property_identifier) @name)
  right: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @function
  (#match? @_exports "^(module[.])?exports$"))
((assignment_expression
  left: (member_expression object: (_) @_exports property: (property_identifier) @name)
  right: (object) @body) @variable
  (#match? @_exports "^(module[.])?exports$"))
((assignment_expression
  left: (member_expression object: (_) @_exports property: (property_identifier) @name)
  right: (class body: (_) @body)) @class
  (#match? @_exports "^(module[.])?exports$"))
((assignment_expression
  left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
  right: (object) @body) @scope
  (#eq? @_module "module")
  (#eq? @_exports "exports"))
((program (expression_statement (assignment_expression
  left: (member_expression object: (identifier) @owner property: (property_identifier) @name)
  right: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @method))
  (#not-match? @owner "^(exports|window|global|globalThis|self|module)$"))
(program (expression_statement (assignment_expression
  left: (member_expression object: (identifier) @_global property: (property_identifier) @name)
  right: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
  ]) @function)
  (#not-eq? @_global "module"))

; Functions in an object that has a name.
(pair key: [(property_identifier) (string)] @name value: [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)
]) @member
