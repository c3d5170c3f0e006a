export { DEFAULT_LIMITS, type ApiServerOptions, type ServerLimits } from './options.ts';
export { startApiServer, type ApiServer } from './start-api-server.ts';
