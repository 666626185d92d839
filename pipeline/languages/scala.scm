(package_object name: (_) @name body: (_) @body) @object
(class_definition name: (_) @name body: (_) @body) @class
(class_definition name: (_) @name) @class
(object_definition name: (_) @name body: (_) @body) @object
(object_definition name: (_) @name) @object
(trait_definition name: (_) @name body: (_) @body) @trait
(trait_definition name: (_) @name) @trait
(enum_definition name: (_) @name body: (_) @body) @enum
(simple_enum_case name: (_) @name) @enum_member
(full_enum_case name: (_) @name) @enum_member
(given_definition name: (_) @name body: (_) @body) @object
(given_definition name: (_) @name) @object
(type_definition name: (_) @name) @type_alias

(function_definition name: (_) @name body: (_) @body) @function
(function_declaration name: (_) @name) @function
(class_definition name: (_) @owner
  class_parameters: (class_parameters (class_parameter ["val" "var"] name: (identifier) @name) @field))
(block [(val_definition pattern: (identifier) @name) (var_definition pattern: (identifier) @name)] @ignored)
(val_definition pattern: (identifier) @name value: (instance_expression) @body) @constant
(val_definition pattern: (identifier) @name) @constant
(val_definition pattern: (identifiers (identifier) @name)) @constant
(val_declaration name: (identifier) @name) @constant
(var_definition pattern: (identifier) @name) @variable
(var_declaration name: (identifier) @name) @variable
