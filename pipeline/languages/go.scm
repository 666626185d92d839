(function_declaration name: (identifier) @name body: (block)? @body) @function

(method_declaration
  receiver: (parameter_list (parameter_declaration type: (_) @owner))
  name: (field_identifier) @name
  body: (block)? @body) @function

(type_spec name: (type_identifier) @name type: (struct_type (field_declaration_list) @body)) @struct
(type_spec name: (type_identifier) @name type: (interface_type "{" @body)) @interface
(type_spec name: (type_identifier) @name) @type_alias
(type_alias name: (type_identifier) @name) @type_alias
(source_file (type_declaration . (type_spec)) @wrap)
(source_file (type_declaration . (type_alias)) @wrap)

(field_declaration name: (field_identifier) @name type: (struct_type (field_declaration_list) @body)) @field
(field_declaration name: (field_identifier) @name) @field
(field_declaration !name type: [
  (type_identifier) @name
  (qualified_type name: (type_identifier) @name)
  (generic_type type: (type_identifier) @name)
  (generic_type type: (qualified_type name: (type_identifier) @name))
]) @field
(method_elem name: (field_identifier) @name) @function

; The first constant of a group stands for the whole group, since the rest of an iota list means nothing without it.
(source_file (const_declaration "(" . (comment)* . (const_spec . (identifier) @name)) @constant)
(source_file (const_declaration (const_spec (identifier) @name) @constant))
(source_file (var_declaration (var_spec name: (identifier) @name) @variable))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name) @variable)))
