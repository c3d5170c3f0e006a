export type {
  Action,
  ConntrackAction,
  ControllerAction,
  Instruction,
  LearnAction,
  LearnPart,
} from './actions/action.ts';
export { printActions, printInstructions } from './actions/print-action.ts';
export type { Flow } from './flow.ts';
export { portsOfFlow } from './flow-ports.ts';
export type { Field, Subfield } from './match/field.ts';
export type { FieldFormat } from './match/field-rows.ts';
export type { MatchField } from './match/match-field.ts';
export { printMatch } from './match/print-match.ts';
export { isOpenFlowError, OpenFlowError, type OpenFlowErrorCode } from './openflow-error.ts';
export { PORT_LOCAL, printPort } from './port-number.ts';
export { printFlow } from './print-flow.ts';
export { type AggregateStats, readAggregateStats } from './stats/aggregate-stats.ts';
export { encodeFlowRequest, type FlowFilter, type FlowMatchFilter } from './stats/flow-filter.ts';
export { readFlowStats } from './stats/flow-stats.ts';
export { encodePortDescriptionRequest, type PortDescription, readPortDescriptions } from './stats/port-description.ts';
export { encodePortStatsRequest, type PortStats, readPortStats } from './stats/port-stats.ts';
export { readSwitchFeatures, type SwitchFeatures } from './stats/switch-features.ts';
export { readTableStats, type TableStats } from './stats/table-stats.ts';
export { encodeEchoReply } from './wire/echo.ts';
export { type ErrorReport, readErrorMessage } from './wire/error-message.ts';
export { encodeHello, readHello } from './wire/hello.ts';
export { encodeMessage, type Message, MessageType } from './wire/message.ts';
export { MessageSplitter } from './wire/message-splitter.ts';
export {
  encodeMultipartRequest,
  type MultipartReply,
  type MultipartRequest,
  MultipartType,
  readMultipartReply,
} from './wire/multipart.ts';
export { chooseVersion, type OpenFlowVersion, SPOKEN_VERSIONS, versionName } from './wire/version.ts';
