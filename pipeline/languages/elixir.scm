(call target: (identifier) @_k (arguments . (alias) @name) (do_block) @body (#eq? @_k "defmodule")) @module
(call target: (identifier) @_k (arguments . (alias) @name) (do_block) @body (#eq? @_k "defprotocol")) @protocol
(call target: (identifier) @_k (arguments . (alias) @name) (do_block) @body (#eq? @_k "defimpl")) @scope

(call target: (identifier) @_k (arguments . [
  (identifier) @name
  (call target: (identifier) @name)
  (binary_operator left: (call target: (identifier) @name) operator: "when")
  (binary_operator left: (identifier) @name operator: "when")
  ]) (do_block) @body (#any-of? @_k "def" "defp")) @function
(call target: (identifier) @_k (arguments . [
  (identifier) @name
  (call target: (identifier) @name)
  (binary_operator left: (call target: (identifier) @name) operator: "when")
  (binary_operator left: (identifier) @name operator: "when")
  ] . (keywords) @body) (#any-of? @_k "def" "defp")) @function
(call target: (identifier) @_k (arguments . [
  (identifier) @name
  (call target: (identifier) @name)
  (binary_operator left: (call target: (identifier) @name) operator: "when")
  ]) (#any-of? @_k "def" "defp" "defdelegate")) @function
(call target: (identifier) @_k (arguments . [
  (identifier) @name
  (call target: (identifier) @name)
  (binary_operator left: (call target: (identifier) @name) operator: "when")
  ]) (do_block)? @body (#any-of? @_k "defmacro" "defmacrop" "defguard" "defguardp")) @macro

(unary_operator operand: (call target: (identifier) @_k (arguments . (binary_operator left: [
  (identifier) @name (call target: (identifier) @name)] operator: "::"))
  (#any-of? @_k "type" "typep" "opaque"))) @type_alias
(unary_operator operand: (call target: (identifier) @_k (arguments . [
  (binary_operator left: (call target: (identifier) @name) operator: "::")
  (binary_operator left: (binary_operator left: (call target: (identifier) @name) operator: "::") operator: "when")
  ]) (#any-of? @_k "callback" "macrocallback"))) @function

; Operators are named by their sign, which stands between the arguments.
(call target: (identifier) @_k (arguments . [
  (binary_operator operator: ["|||" "&&&" "^^^" "<<<" ">>>" "+" "-" "*" "/" "**" "++" "--" "+++" "---" "<" ">" "<=" ">=" "==" "!=" "===" "!==" "=~" "<>" "&&" "||" "and" "or" "in" "|>" ".." "~>" "<~" "<~>"] @name)
  (binary_operator left: (binary_operator operator: ["|||" "&&&" "^^^" "<<<" ">>>" "+" "-" "*" "/" "**" "++" "--" "+++" "---" "<" ">" "<=" ">=" "==" "!=" "===" "!==" "=~" "<>" "&&" "||" "and" "or" "in" "|>" ".." "~>" "<~" "<~>"] @name) operator: "when")
  (unary_operator operator: ["not" "!" "+" "-" "^"] @name)
  ]) (do_block)? @body (#any-of? @_k "def" "defp")) @function
(call target: (identifier) @_k (arguments . [
  (binary_operator operator: ["|||" "&&&" "^^^" "<<<" ">>>" "+" "-" "*" "/" "**" "++" "--" "+++" "---" "<" ">" "<=" ">=" "==" "!=" "===" "!==" "=~" "<>" "&&" "||" "and" "or" "in" "|>" ".." "~>" "<~" "<~>"] @name)
  (binary_operator left: (binary_operator operator: ["|||" "&&&" "^^^" "<<<" ">>>" "+" "-" "*" "/" "**" "++" "--" "+++" "---" "<" ">" "<=" ">=" "==" "!=" "===" "!==" "=~" "<>" "&&" "||" "and" "or" "in" "|>" ".." "~>" "<~" "<~>"] @name) operator: "when")
  (unary_operator operator: ["not" "!" "+" "-" "^"] @name)
  ]) (do_block)? @body (#any-of? @_k "defmacro" "defmacrop" "defguard" "defguardp")) @macro
