(attribute_item) @attribute

; An impl block is no symbol; its type owns what is inside. Of a path the last part names the type.
(impl_item trait: _ @owner type: [
  (type_identifier) @name
  (generic_type type: (type_identifier) @name)
  (scoped_type_identifier name: (_) @name)
  (generic_type type: (scoped_type_identifier name: (_) @name))
  (primitive_type) @name
  (reference_type type: [(type_identifier) (generic_type)] @name)
  (dynamic_type trait: [(type_identifier) (generic_type)] @name)
] body: (declaration_list) @body) @scope
(impl_item !trait type: [
  (type_identifier) @name
  (generic_type type: (type_identifier) @name)
  (scoped_type_identifier name: (_) @name)
  (generic_type type: (scoped_type_identifier name: (_) @name))
  (primitive_type) @name
  (dynamic_type trait: [(type_identifier) (generic_type)] @name)
] body: (declaration_list) @body) @scope
(foreign_mod_item body: (declaration_list) @body) @scope

(function_item name: (identifier) @name body: (block) @body) @function
(function_signature_item name: (identifier) @name) @function
(struct_item name: (type_identifier) @name body: (field_declaration_list) @body) @struct
(struct_item name: (type_identifier) @name) @struct
(union_item name: (type_identifier) @name body: (field_declaration_list) @body) @union
(enum_item name: (type_identifier) @name body: (enum_variant_list) @body) @enum
(trait_item name: (type_identifier) @name body: (declaration_list) @body) @trait
(mod_item name: (identifier) @name body: (declaration_list)? @body) @module
(macro_definition name: (identifier) @name . (macro_rule) @body) @macro
(macro_definition name: (identifier) @name) @macro

(type_item name: (type_identifier) @name) @type_alias
(associated_type name: (type_identifier) @name) @type_alias
(const_item name: (identifier) @name) @constant
(static_item name: (identifier) @name) @variable
(field_declaration name: (field_identifier) @name) @field
(enum_variant name: (identifier) @name body: (field_declaration_list) @body) @enum_member
(enum_variant name: (identifier) @name) @enum_member
