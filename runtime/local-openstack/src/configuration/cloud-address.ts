import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

const LOWEST_PORT = 20_000;
/** Below the kernel's range for outgoing connections. */
const PORTS = 12_000;
const ATTEMPTS = 100;
const PORT_COUNT = 5;

/** Where the services of a cloud listen. */
export interface CloudAddress {
  /** An address of loopback that no other cloud uses. */
  readonly host: string;
  readonly identityPort: number;
  readonly placementPort: number;
  readonly computePort: number;
  readonly imagePort: number;
  readonly networkPort: number;
}

/** The services of a cloud by the types their catalog lists. */
export type ServiceType = 'identity' | 'placement' | 'compute' | 'image' | 'network';

/** A fresh address with free ports for every service. */
export async function drawAddress(): Promise<CloudAddress> {
  const host = drawLoopbackHost();
  return addressAt(host, await pickPorts(host, PORT_COUNT));
}

/** The address of a cloud whose ports are in a row. */
export function addressAt(host: string, firstPort: number): CloudAddress {
  return {
    host,
    identityPort: firstPort,
    placementPort: firstPort + 1,
    computePort: firstPort + 2,
    imagePort: firstPort + 3,
    networkPort: firstPort + 4,
  };
}

/** Whether all ports of an address can be listened on at the moment. */
export async function isFreeAddress({ host, identityPort }: CloudAddress): Promise<boolean> {
  return await areFree(host, identityPort, PORT_COUNT);
}

/** An address of loopback drawn by lot of sixteen million, so that clouds side by side cannot take each other's ports. */
export function drawLoopbackHost(): string {
  return `127.${randomInt(1, 255)}.${randomInt(0, 256)}.${randomInt(1, 255)}`;
}

/** The URL of every service. */
export function endpointsOf(address: CloudAddress): Readonly<Record<ServiceType, string>> {
  const at = (port: number): string => `http://${address.host}:${port}`;
  return {
    identity: `${at(address.identityPort)}/v3`,
    placement: at(address.placementPort),
    compute: `${at(address.computePort)}/v2.1`,
    image: at(address.imagePort),
    network: at(address.networkPort),
  };
}

/** Ports in a row of which none is taken at the moment. */
export async function pickPorts(host: string, count: number): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const first = LOWEST_PORT + randomInt(0, PORTS);
    if (await areFree(host, first, count)) return first;
  }
  throw new Error(`No ${count} free ports in a row on ${host}`);
}

async function areFree(host: string, first: number, count: number): Promise<boolean> {
  const wanted = Array.from({ length: count }, (_, index) => first + index);
  return (await Promise.all(wanted.map((port) => isFree(host, port)))).every(Boolean);
}

async function isFree(host: string, port: number): Promise<boolean> {
  const server = createServer();
  server.listen({ host, port });
  const isListening = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  if (isListening) await new Promise((resolve) => server.close(resolve));
  return isListening;
}
