(protocol_declaration . "@protocol" . (identifier) @name @body) @protocol
(class_interface . "@interface" . (identifier) @name @body) @class
(class_implementation . "@implementation" . (identifier) @name @body) @scope
(method_declaration (method_type) . (identifier) @name) @method
(method_definition (method_type) . (identifier) @name (compound_statement) @body) @method
(property_declaration (struct_declaration (struct_declarator (identifier) @name))) @property
(property_declaration (struct_declaration (struct_declarator (pointer_declarator declarator: (identifier) @name)))) @property
(instance_variable (struct_declaration (struct_declarator (identifier) @name)) @field)
(instance_variable (struct_declaration (struct_declarator (pointer_declarator declarator: (identifier) @name))) @field)
