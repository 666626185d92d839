; Also part of C++, whose grammar extends this one.

; A header guard is no macro to look for.
((preproc_ifdef name: (identifier) @_guard . (preproc_def name: (identifier) @name !value) @ignored . (_)) (#eq? @_guard @name))
(preproc_def name: (identifier) @name) @macro
(preproc_function_def name: (identifier) @name) @macro

(function_definition declarator: [
  (function_declarator declarator: [
    (identifier) @name
    (parenthesized_declarator [
      (identifier) @name
      (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
    ])
  ])
  (pointer_declarator declarator: [
    (function_declarator declarator: (identifier) @name)
    (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
  ])
  (parenthesized_declarator (identifier) @name)
] body: (compound_statement) @body) @function

; Types: what has a body defines one; a typedef names one that has no name.
(struct_specifier name: (type_identifier) @name body: (field_declaration_list) @body) @struct
(union_specifier name: (type_identifier) @name body: (field_declaration_list) @body) @union
(enum_specifier name: (type_identifier) @name body: (enumerator_list) @body) @enum
(type_definition type: (struct_specifier !name body: (field_declaration_list) @body) declarator: (type_identifier) @name) @struct
(type_definition type: (union_specifier !name body: (field_declaration_list) @body) declarator: (type_identifier) @name) @union
(type_definition type: (enum_specifier !name body: (enumerator_list) @body) declarator: (type_identifier) @name) @enum
(type_definition declarator: [
  (type_identifier) @name
  (pointer_declarator declarator: [
    (type_identifier) @name
    (pointer_declarator declarator: (type_identifier) @name)
    (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))
  ])
  (array_declarator declarator: (type_identifier) @name)
  (function_declarator declarator: [
    (type_identifier) @name
    (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name))
  ])
]) @type_alias

(enumerator name: (identifier) @name) @enum_member
(field_declaration declarator: [
  (field_identifier) @name
  (pointer_declarator declarator: [
    (field_identifier) @name
    (pointer_declarator declarator: (field_identifier) @name)
    (array_declarator declarator: (field_identifier) @name)
  ])
  (array_declarator declarator: [
    (field_identifier) @name
    (array_declarator declarator: (field_identifier) @name)
  ])
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (field_identifier) @name)))
]) @field

; Functions that are declared, and variables; those of a function are left out for its sake.
(declaration declarator: [
  (function_declarator declarator: (identifier) @name)
  (pointer_declarator declarator: [
    (function_declarator declarator: (identifier) @name)
    (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
  ])
]) @prototype
(declaration declarator: [
  (identifier) @name
  (pointer_declarator declarator: [
    (identifier) @name
    (pointer_declarator declarator: (identifier) @name)
    (array_declarator declarator: (identifier) @name)
  ])
  (array_declarator declarator: [
    (identifier) @name
    (array_declarator declarator: (identifier) @name)
  ])
  (init_declarator declarator: [
    (identifier) @name
    (pointer_declarator declarator: [
      (identifier) @name
      (pointer_declarator declarator: (identifier) @name)
      (array_declarator declarator: (identifier) @name)
    ])
    (array_declarator declarator: [
      (identifier) @name
      (array_declarator declarator: (identifier) @name)
    ])
  ])
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))
]) @variable
