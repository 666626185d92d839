(class_definition name: (identifier) @name . (_) @body) @class
(class_definition name: (identifier) @name) @class
(property name: (identifier) @name) @property
(enum . (identifier) @name) @enum_member
(events (identifier) @name @property)
(function_definition name: (_) @name (block) @body) @function
(function_definition name: (_) @name) @function
(function_signature name: (_) @name) @function
