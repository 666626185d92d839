(data_type name: (_) @name constructors: (_) @body) @type
(data_type name: (_) @name) @type
(newtype name: (_) @name constructor: (_) @body) @type
(type_synomym name: (_) @name) @type_alias
(type_family name: (_) @name) @type_alias
(class name: (_) @name declarations: (_) @body) @interface
(class name: (_) @name) @interface
(instance name: (_) @name declarations: (_) @body) @scope
(data_constructor (prefix name: (_) @name)) @enum_member
(data_constructor (record name: (_) @name)) @enum_member
(newtype_constructor name: (_) @name) @enum_member
(gadt_constructor name: (_) @name) @enum_member
(field name: (_) @name) @field
(class_declarations (signature name: (variable) @name) @method)
(class_declarations (signature name: (prefix_id (_) @name)) @method)
(declarations (signature name: (variable) @name) @function)
(declarations (signature name: (prefix_id (_) @name)) @function)
(declarations (function name: (_) @name match: (_) @body) @function)
(declarations (function (infix operator: (_) @name) match: (_) @body) @function)
(declarations (function name: (_) @name) @function)
(declarations (bind name: (_) @name match: (_) @body) @function)
(instance_declarations (function name: (_) @name match: (_) @body) @method)
(instance_declarations (bind name: (_) @name match: (_) @body) @method)
