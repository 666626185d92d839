(template_declaration) @wrap
(access_specifier) @access

(namespace_definition name: _ @name body: (declaration_list) @body) @namespace
(class_specifier name: [
  (type_identifier) @name
  (template_type name: (type_identifier) @name)
  (qualified_identifier) @name
] body: (field_declaration_list) @body) @class
(struct_specifier name: [
  (template_type name: (type_identifier) @name)
  (qualified_identifier) @name
] body: (field_declaration_list) @body) @struct
(concept_definition name: (identifier) @name) @concept
(alias_declaration name: (type_identifier) @name) @type_alias

; Test macros look like functions of their own.
((function_definition declarator: (function_declarator declarator: (identifier) @_macro
  parameters: (parameter_list
    . (parameter_declaration type: (type_identifier) @owner)
    . (parameter_declaration type: (type_identifier) @name)))
  body: (compound_statement) @body) @function
  (#match? @_macro "^([A-Z]+_)*TEST(_[A-Z]+)*$"))
((function_definition declarator: (function_declarator declarator: (identifier) @name)) @ignored
  (#match? @name "^([A-Z]+_)*TEST(_[A-Z]+)*$"))

(function_definition declarator: [
  (function_declarator declarator: [(field_identifier) (qualified_identifier) (destructor_name) (operator_name) (template_function)] @name)
  (pointer_declarator declarator: [
    (function_declarator declarator: [(field_identifier) (qualified_identifier) (operator_name)] @name)
    (pointer_declarator declarator: (function_declarator declarator: [(field_identifier) (qualified_identifier)] @name))
  ])
  (reference_declarator (function_declarator declarator: [(identifier) (field_identifier) (qualified_identifier) (operator_name)] @name))
  (operator_cast) @name
  (qualified_identifier) @name
] body: (compound_statement)? @body) @function
; A constructor that is `= default` has no body.
(function_definition declarator: (function_declarator declarator: (identifier) @name) !body) @function

(declaration declarator: [
  (function_declarator declarator: [(qualified_identifier) (destructor_name) (operator_name)] @name)
  (pointer_declarator declarator: (function_declarator declarator: [(qualified_identifier) (operator_name)] @name))
  (reference_declarator (function_declarator declarator: [(identifier) (qualified_identifier) (operator_name)] @name))
  (operator_cast) @name
]) @prototype
(field_declaration declarator: [
  (function_declarator declarator: [(field_identifier) (operator_name) (destructor_name)] @name)
  (pointer_declarator declarator: [
    (function_declarator declarator: [(field_identifier) (operator_name)] @name)
    (pointer_declarator declarator: (function_declarator declarator: (field_identifier) @name))
  ])
  (reference_declarator (function_declarator declarator: [(field_identifier) (operator_name)] @name))
]) @prototype
(field_declaration declarator: (reference_declarator (field_identifier) @name)) @field
(declaration declarator: [
  (qualified_identifier) @name
  (init_declarator declarator: (qualified_identifier) @name)
]) @variable
