; Shared by JavaScript and TypeScript.

(export_statement) @wrap
(decorator) @attribute

(function_declaration name: (identifier) @name body: (statement_block) @body) @function
(generator_function_declaration name: (identifier) @name body: (statement_block) @body) @function
(method_definition name: _ @name body: (statement_block) @body) @method

; Anonymous default exports go by the word `default`.
(export_statement "default" @name value: [(arrow_function) (function_expression) (generator_function)] @value) @function
(export_statement "default" @name value: (class) @value) @class
(export_statement "default" @name value: [(object) (call_expression)] @value) @variable

; Functions and classes bound to a name, anywhere.
(variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression) (generator_function)] @value) @function
(variable_declarator name: (identifier) @name value: (class) @value) @class

; Functions that are given or returned under a name.
(arguments (function_expression name: (identifier) @name body: (statement_block) @body) @function)
(return_statement (function_expression name: (identifier) @name body: (statement_block) @body) @function)

; Wrappers whose result is the function that they are given; what other calls return is not known.
((variable_declarator name: (identifier) @name value: (call_expression
  function: _ @_wrapper
  arguments: (arguments . [(arrow_function) (function_expression) (call_expression)] @value))) @function
  (#match? @_wrapper "^(React[.])?(memo|forwardRef|useCallback|observer|lazy|cache|debounce|throttle|once|memoize|asyncHandler|with[A-Z][A-Za-z]*)$"))

; Names of the module.
(program (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name value: (object)? @value) @constant))
(program (lexical_declaration (variable_declarator name: (identifier) @name value: (object)? @value) @variable))
(program (variable_declaration (variable_declarator name: (identifier) @name value: (object)? @value) @variable))
(export_statement (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name value: (object)? @value) @constant))
(export_statement (lexical_declaration (variable_declarator name: (identifier) @name value: (object)? @value) @variable))
(export_statement (variable_declaration (variable_declarator name: (identifier) @name value: (object)? @value) @variable))
(export_statement (lexical_declaration (variable_declarator
  name: (object_pattern (shorthand_property_identifier_pattern) @name)) @constant))

; Functions in an object that has a name.
(pair key: [(property_identifier) (string)] @name value: [(arrow_function) (function_expression)] @value) @member
