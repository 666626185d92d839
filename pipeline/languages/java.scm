(class_declaration name: (identifier) @name body: (_) @body) @class
(interface_declaration name: (identifier) @name body: (_) @body) @interface
(annotation_type_declaration name: (identifier) @name body: (_) @body) @annotation
(enum_declaration name: (identifier) @name body: (_) @body) @enum
(record_declaration name: (identifier) @name body: (_) @body) @record

(method_declaration name: (identifier) @name body: (block) @body) @method
(method_declaration name: (identifier) @name) @method
(annotation_type_element_declaration name: (identifier) @name) @method
(constructor_declaration name: (identifier) @name body: (_) @body) @constructor
(compact_constructor_declaration name: (identifier) @name body: (_) @body) @constructor

(field_declaration declarator: (variable_declarator name: (identifier) @name
  value: (object_creation_expression (class_body) @body))) @field
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @field
(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @constant
(enum_constant name: (identifier) @name body: (_) @body) @enum_member
(enum_constant name: (identifier) @name) @enum_member
