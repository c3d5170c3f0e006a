export { acceptWebSocket, checkHandshake, type AcceptOptions } from './accept-web-socket.ts';
export { openWebSocket, type OpenOptions } from './open-web-socket.ts';
export { isWebSocketError, WebSocketError, type WebSocketErrorCode } from './web-socket-error.ts';
export { WebSocketStream } from './web-socket-stream.ts';
