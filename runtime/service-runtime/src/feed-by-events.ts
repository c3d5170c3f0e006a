import type { Server, TLSSocket } from 'node:tls';

/**
 * Keeps an HTTPS server that was just made from cutting callers off who send on while the answer before is still being
 * sent: TLS else feeds Node's parser of HTTP/1.1 directly, also while that is paused because answers pile up, and it takes
 * that for a broken request. Who listens for data once ends that for good.
 */
export function feedByEvents(server: Pick<Server, 'on'>): void {
  server.on('secureConnection', (socket: TLSSocket) => {
    socket.on('data', ignoreData);
    socket.off('data', ignoreData);
  });
}

function ignoreData(): void {}
