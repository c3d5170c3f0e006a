export { AUTHORIZER, type Authorizer, type AuthorizerDecision, type AuthorizerRequest } from './authorizer.ts';
export { CelError, isCelError, type CelErrorCode, type CelIssue } from './cel-error.ts';
export {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  formatType,
  INT,
  listOf,
  mapOf,
  optionalOf,
  STRING,
  TIMESTAMP,
  UINT,
  type CelType,
} from './cel-type.ts';
export {
  CelDuration,
  CelList,
  CelMap,
  CelOpaque,
  CelOptional,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  type CelValue,
} from './cel-value.ts';
export { CostBudget, MAX_CALL_COST, MAX_OBJECT_COST } from './cost-budget.ts';
export { escapeName, unescapeName } from './escape-name.ts';
export type { CostRange } from './cost-range.ts';
export { estimateCost, maxCardinality } from './estimate-cost.ts';
export { compileExpression, type CompileOptions, type EvaluateOptions, type Expression } from './expression.ts';
export { fromJson } from './from-json.ts';
export type { SchemaLike } from './schema-like.ts';
export { celTypeOf, type SchemaTypeOptions } from './schema-type.ts';
export { toJson } from './to-json.ts';
