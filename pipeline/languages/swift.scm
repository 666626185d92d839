(class_declaration "struct" name: (type_identifier) @name body: (_) @body) @struct
(class_declaration "enum" name: (type_identifier) @name body: (_) @body) @enum
(class_declaration "extension" name: (user_type) @name body: (_) @body) @extension
(class_declaration name: (type_identifier) @name body: (_) @body) @class
(protocol_declaration name: (type_identifier) @name body: (_) @body) @protocol
(enum_entry name: (simple_identifier) @name @enum_member)
(typealias_declaration name: (type_identifier) @name) @type_alias
(associatedtype_declaration name: (type_identifier) @name) @type_alias

(function_declaration name: (simple_identifier) @name body: (_) @body) @function
(function_declaration [(custom_operator) (bang) "==" "!=" "<" ">" "<=" ">=" "+" "-" "*" "/" "%" "===" "!==" "&" "|" "^" "~" "<<" ">>" "++" "--" "+=" "-=" "*=" "/=" "%=" "..." "..<"] @name body: (_) @body) @function
(protocol_function_declaration name: (simple_identifier) @name) @method
(init_declaration "init" @name body: (_) @body) @constructor
(init_declaration "init" @name) @constructor
(deinit_declaration "deinit" @name body: (_) @body) @method
(subscript_declaration "subscript" @name (computed_property) @body) @method
(macro_declaration (simple_identifier) @name) @macro

(protocol_property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @property
(property_declaration name: (pattern bound_identifier: (simple_identifier) @name) computed_value: (_) @body) @property
(class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @field)
(enum_class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @field)
(source_file (property_declaration (value_binding_pattern "let") name: (pattern bound_identifier: (simple_identifier) @name)) @constant)
(source_file (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @variable)
