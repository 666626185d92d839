(class_declaration name: (identifier) @name body: (class_body) @body) @class

(field_definition property: _ @name value: [(arrow_function) (function_expression)] @value) @method
(field_definition property: _ @name) @field

; Assignments that define: exports.x, module.exports.x, Type.prototype.x, Type.x.
((assignment_expression
  left: (member_expression
    object: (member_expression object: _ @owner property: (property_identifier) @_prototype)
    property: (property_identifier) @name)
  right: [(arrow_function) (function_expression) (generator_function)] @value) @method
  (#eq? @_prototype "prototype"))
((assignment_expression
  left: (member_expression object: _ @_exports property: (property_identifier) @name)
  right: [(arrow_function) (function_expression) (generator_function)] @value) @function
  (#match? @_exports "^(module[.])?exports$"))
((assignment_expression
  left: (member_expression object: _ @_exports property: (property_identifier) @name)
  right: (object) @value) @variable
  (#match? @_exports "^(module[.])?exports$"))
((assignment_expression
  left: (member_expression object: _ @_exports property: (property_identifier) @name)
  right: (class) @value) @class
  (#match? @_exports "^(module[.])?exports$"))
((assignment_expression left: (member_expression) @_exports right: (object) @value) @scope
  (#eq? @_exports "module.exports"))
((assignment_expression left: (member_expression) @_exports right: (function_expression name: (identifier) @name) @value) @function
  (#eq? @_exports "module.exports"))
((assignment_expression left: (member_expression) @_exports right: (class name: (identifier) @name) @value) @class
  (#eq? @_exports "module.exports"))
((assignment_expression
  left: (member_expression object: (identifier) @_module property: (property_identifier) @name)
  right: [(arrow_function) (function_expression !name)] @value) @function
  (#eq? @_module "module")
  (#eq? @name "exports"))
((program (expression_statement (assignment_expression
  left: (member_expression object: [(identifier) (member_expression)] @owner property: (property_identifier) @name)
  right: [(arrow_function) (function_expression) (generator_function)] @value) @method))
  (#not-match? @owner "^((module[.])?exports|window|global|globalThis|self|module)$"))
((program (expression_statement (assignment_expression
  left: (member_expression object: (identifier) @_global property: (property_identifier) @name)
  right: [(arrow_function) (function_expression)] @value) @function))
  (#not-eq? @_global "module"))
