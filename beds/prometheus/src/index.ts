export { readAlertRules, type AlertRule } from './alert-rules.ts';
export { overlappingCells, readDashboard, withoutVariables, type Dashboard, type DashboardPanel } from './dashboard.ts';
export { evaluatePromql, type Sample } from './evaluate-promql.ts';
export { asScraped, parseExposition, type Series } from './parse-exposition.ts';
export { parsePromql } from './parse-promql.ts';
export { hasPromtool, runPromtool } from './promtool.ts';
export { unknownNames, unknownValues } from './unknown-names.ts';
