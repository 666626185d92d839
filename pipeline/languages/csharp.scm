(file_scoped_namespace_declaration name: (_) @name) @package
(namespace_declaration name: (_) @name body: (_) @body) @package

(class_declaration name: (identifier) @name body: (_) @body) @class
(class_declaration name: (identifier) @name) @class
(struct_declaration name: (identifier) @name body: (_) @body) @struct
(struct_declaration name: (identifier) @name) @struct
(interface_declaration name: (identifier) @name body: (_) @body) @interface
(interface_declaration name: (identifier) @name) @interface
(record_declaration name: (identifier) @name body: (_) @body) @record
(record_declaration name: (identifier) @name) @record
(enum_declaration name: (identifier) @name body: (_) @body) @enum
(enum_declaration name: (identifier) @name) @enum
(enum_member_declaration name: (identifier) @name) @enum_member
(delegate_declaration name: (identifier) @name) @type_alias

(method_declaration name: (identifier) @name body: (_) @body) @method
(method_declaration name: (identifier) @name) @method
(constructor_declaration name: (identifier) @name body: (_) @body) @constructor
(constructor_declaration name: (identifier) @name) @constructor
(destructor_declaration name: (identifier) @name body: (_) @body) @method
(local_function_statement name: (identifier) @name body: (_) @body) @function
(local_function_statement name: (identifier) @name) @function
(operator_declaration "operator" @name operator: _ @name body: (_) @body) @method
(conversion_operator_declaration "operator" @name type: (_) @name body: (_) @body) @method
(indexer_declaration "this" @name accessors: (_) @body) @property
(indexer_declaration "this" @name value: (_) @body) @property
(property_declaration name: (identifier) @name accessors: (_) @body) @property
(property_declaration name: (identifier) @name value: (_) @body) @property
(event_declaration name: (identifier) @name accessors: (_) @body) @property
(event_field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @field
(field_declaration (modifier) @_m (variable_declaration (variable_declarator name: (identifier) @name)) (#eq? @_m "const")) @constant
(field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @field
