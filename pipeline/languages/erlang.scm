(fun_decl clause: (function_clause name: (_) @name body: (_) @body)) @function
(pp_define lhs: (macro_lhs name: (_) @name)) @macro
(record_decl name: (_) @name) @record
(type_alias name: (type_name name: (_) @name)) @type_alias
(opaque name: (type_name name: (_) @name)) @type_alias
(callback fun: (_) @name) @function
