import { once } from 'node:events';
import { createServer, type Server } from 'node:https';

import type { BedSystem } from './bed-system.ts';
import type { TestAuthority } from './make-authority.ts';
import type { RedfishFaults } from './redfish-faults.ts';
import { RedfishService, type RedfishAnswering, type SeenRequest } from './redfish-service.ts';

export interface RedfishBedOptions {
  /** Who vouches for it; its certificate has to name the address. */
  readonly authority: TestAuthority;
  /** 127.0.0.1 by default. */
  readonly address?: string | undefined;
  /** What it powers; a system `/redfish/v1/Systems/1` that is a field alone, by default. */
  readonly systems?: readonly BedSystem[] | undefined;
}

/** A management controller over HTTPS that powers what a test gives it. Its fields may be changed at any time. */
export interface BedRedfish extends AsyncDisposable {
  readonly url: string;
  readonly systems: BedSystem[];
  readonly requests: readonly SeenRequest[];
  /** Sessions that nobody has closed. */
  readonly sessions: ReadonlySet<string>;
  /** What a switch threw. */
  readonly failures: readonly unknown[];
  answering: RedfishAnswering;
  faults: RedfishFaults;
  sessionLimit: number;
  pageSize: number;
  /** Loses power itself: connections break, and nobody listens. Its sessions are forgotten. */
  goDown(): Promise<void>;
  /** Listens again, at the same address. */
  comeBack(): Promise<void>;
  /** Shows another certificate from now on. */
  useCertificate(authority: TestAuthority): void;
}

/** Starts an endpoint on a port of its own. */
export async function startRedfish({ authority, address, systems }: RedfishBedOptions): Promise<BedRedfish> {
  const service = new RedfishService();
  if (systems !== undefined) service.systems.splice(0, 1, ...systems);
  const host = address ?? '127.0.0.1';
  const server = createServer({ key: authority.key, cert: authority.certificate }, (request, response) => {
    service.handle(request, response).catch((error: unknown) => response.destroy(Object(error)));
  });
  const port = await listen(server, host, 0);
  return Object.assign(service, {
    url: `https://${host}:${port}`,
    async goDown() {
      service.sessions.clear();
      await close(server);
    },
    async comeBack() {
      await listen(server, host, port);
    },
    useCertificate: ({ key, certificate: cert }: TestAuthority) => server.setSecureContext({ key, cert }),
    async [Symbol.asyncDispose]() {
      await close(server);
      await service.power.settled();
    },
  });
}

async function listen(server: Server, host: string, wanted: number): Promise<number> {
  server.listen(wanted, host);
  await once(server, 'listening');
  const found = server.address();
  return typeof found === 'object' && found !== null ? found.port : 0;
}

async function close(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server.close(), 'close');
  server.closeAllConnections();
  await closed;
}
