; Access of the methods that follow, or of one.
(body_statement (identifier) @_w @access (#any-of? @_w "private" "protected" "public"))
(call !receiver method: (identifier) @_m arguments: (argument_list . [(method) (singleton_method)]) (#match? @_m "^p(rivate|rotected|ublic)")) @wrap

(module name: (constant) @name body: (_)? @body) @module
(module name: (scope_resolution) @name body: (_)? @body) @module
(class name: (constant) @name body: (_)? @body) @class
(class name: (scope_resolution) @name body: (_)? @body) @class
(method name: (_) @name body: (_) @body) @function
(method name: (_) @name) @function
(singleton_method name: (_) @name body: (_) @body) @function
(singleton_method name: (_) @name) @function
(alias name: (_) @name) @function

; What the usual class macros define.
(call !receiver method: (identifier) @_m arguments: (argument_list . (simple_symbol) @name) block: (_) @body
  (#any-of? @_m "define_method" "define_singleton_method")) @method
(call !receiver method: (identifier) @_m arguments: (argument_list . (simple_symbol) @name)
  (#any-of? @_m "define_method" "define_singleton_method" "alias_method" "scope" "delegate")) @method
(call !receiver method: (identifier) @_m arguments: (argument_list (simple_symbol) @name @property)
  (#any-of? @_m "attr_accessor" "attr_reader" "attr_writer" "attr" "mattr_accessor" "cattr_accessor" "class_attribute"))

; Constants, also classes made by Struct.new and Class.new.
(assignment left: (constant) @name right: (call receiver: (constant) @_c method: (identifier) @_m block: (_) @body)
  (#any-of? @_c "Struct" "Class" "Data") (#any-of? @_m "new" "define")) @class
(assignment left: (constant) @name right: (call receiver: (constant) @_c method: (identifier) @_m)
  (#any-of? @_c "Struct" "Class" "Data") (#any-of? @_m "new" "define")) @class
(assignment left: (constant) @name) @constant
