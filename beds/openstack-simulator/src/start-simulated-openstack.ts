import { DEFAULT_BEHAVIOUR } from './behaviour.ts';
import { CloudBooks } from './books/cloud-books.ts';
import { CallLog } from './call-log.ts';
import { actionRoutes } from './compute/action-routes.ts';
import { aggregateRoutes } from './compute/aggregate-routes.ts';
import { Evacuator } from './compute/evacuator.ts';
import { flavorRoutes } from './compute/flavor-routes.ts';
import { hostRoutes } from './compute/host-routes.ts';
import { moveRoutes } from './compute/move-routes.ts';
import { Mover } from './compute/mover.ts';
import { ServerLife } from './compute/server-life.ts';
import { serverRoutes } from './compute/server-routes.ts';
import { Faults } from './faults.ts';
import { Front } from './front.ts';
import { IdentityBooks } from './identity/identity-books.ts';
import { keystoneRoutes } from './identity/keystone-routes.ts';
import { imageRoutes } from './image-routes.ts';
import { networkRoutes } from './network-routes.ts';
import { allocationRoutes } from './placement/allocation-routes.ts';
import { providerRoutes } from './placement/provider-routes.ts';
import { Router } from './router.ts';
import { ServiceDirectory, type ServiceEntry } from './service-directory.ts';
import { SimulatedCloud } from './simulated-cloud.ts';
import type { SimulatedOpenStack, SimulatedOpenStackOptions } from './simulated-openstack.ts';
import { SimulatorError } from './simulator-error.ts';
import { Timers } from './timers.ts';

const TOKEN_SECONDS = 3600;
const MOST_CALLS = 200_000;
const NEWEST_PLACEMENT = 39;
const NEWEST_COMPUTE = '2.95';

/** Starts a simulated cloud on loopback; it is ready at once. */
export async function startSimulatedOpenStack(options: SimulatedOpenStackOptions = {}): Promise<SimulatedOpenStack> {
  checkOptions(options);
  const books = new CloudBooks();
  books.behaviour = { ...DEFAULT_BEHAVIOUR, ...options.behaviour };
  const timers = new Timers();
  const identity = new IdentityBooks(options.tokenSeconds ?? TOKEN_SECONDS);
  const life = new ServerLife(books, timers);
  const evacuator = new Evacuator(books, timers);
  const address = { url: '' };
  const directory: ServiceDirectory = new ServiceDirectory(
    [
      identityEntry(identity, () => directory),
      computeEntry({ books, life, evacuator, mover: new Mover(books, timers), options }),
      placementEntry(books),
      { name: 'image', router: new Router(imageRoutes()), versions: undefined },
      { name: 'network', router: new Router(networkRoutes()), versions: undefined },
    ],
    () => address.url,
  );
  const faults = new Faults();
  const calls = new CallLog(options.mostCalls ?? MOST_CALLS);
  const front = new Front({ directory, identity, faults, calls, timers, latencyMs: options.latencyMs ?? 0 });
  address.url = await front.open(options.port ?? 0);
  const endpoints = directory.endpoints();
  const cloud = new SimulatedCloud({ books, life, evacuator, identity, front, timers, faults, calls, endpoints });
  for (const aggregate of options.aggregates ?? []) {
    const { name, zone } = typeof aggregate === 'string' ? { name: aggregate } : aggregate;
    cloud.addAggregate(name, { zone });
  }
  for (const host of options.hosts ?? []) cloud.addHost(host);
  return cloud;
}

function identityEntry(identity: IdentityBooks, directory: () => ServiceDirectory): ServiceEntry {
  const router = new Router(keystoneRoutes(identity, () => directory().endpoints()));
  return { name: 'identity', router, versions: undefined };
}

function placementEntry({ placement }: CloudBooks): ServiceEntry {
  const router = new Router(providerRoutes(placement), allocationRoutes(placement));
  return { name: 'placement', router, versions: { major: 1, newest: NEWEST_PLACEMENT } };
}

interface ComputeParts {
  readonly books: CloudBooks;
  readonly life: ServerLife;
  readonly mover: Mover;
  readonly evacuator: Evacuator;
  readonly options: SimulatedOpenStackOptions;
}

function computeEntry({ books, life, mover, evacuator, options }: ComputeParts): ServiceEntry {
  const router = new Router(
    hostRoutes(books),
    aggregateRoutes(books),
    flavorRoutes(books),
    serverRoutes(books, life),
    actionRoutes({ books, life, mover, evacuator }),
    moveRoutes(books, mover),
  );
  const newest = Number((options.newestComputeVersion ?? NEWEST_COMPUTE).split('.')[1]);
  return { name: 'compute', router, versions: { major: 2, newest } };
}

function checkOptions({ latencyMs = 0, tokenSeconds = 1 }: SimulatedOpenStackOptions): void {
  if (!(latencyMs >= 0)) throw new SimulatorError('invalid-option', `latencyMs: ${latencyMs} is no duration`);
  if (!(tokenSeconds > 0)) throw new SimulatorError('invalid-option', `tokenSeconds: ${tokenSeconds} is no duration`);
}
