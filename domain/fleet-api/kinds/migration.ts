import { defineKind, int64, shape, text, time, type Kind } from '@smalt/kind';
import type { TSchema } from 'typebox';

const spec: TSchema = shape({
  name: 'MigrationSpec',
  description: 'Nothing is wanted: a migration is only watched.',
  fields: {},
});

const status: TSchema = shape({
  name: 'MigrationStatus',
  description: 'How far a live migration is. Amounts and rates are texts for people.',
  required: ['started'],
  fields: {
    autoConvergeThrottle: text('By how much the guest is slowed down so that the migration can end.'),
    dataProcessed: text('How much has been sent.'),
    dataRemaining: text('How much is still to be sent.'),
    dataTotal: text('How much there is to send.'),
    destination: text('The host it moves to.'),
    diskBps: text('How fast disks are sent.'),
    diskProcessed: text('How much of the disks has been sent.'),
    diskRemaining: text('How much of the disks is still to be sent.'),
    diskTotal: text('How much there is to send of the disks.'),
    downtime: text('How long the guest stood still, or is expected to.'),
    errMsg: text('Why it failed.'),
    memBps: text('How fast memory is sent.'),
    memConstant: int64('How many pages were sent as one repeated byte.'),
    memDirtyRate: text('How fast the guest changes memory that was sent already.'),
    memIteration: int64('How many times memory has been gone through.'),
    memNormal: int64('How many pages were sent in full.'),
    memNormalBytes: text('How much was sent in full pages.'),
    memPageSize: text('The size of a page.'),
    memPostcopyRequests: int64('How many pages the destination had to ask for.'),
    memProcessed: text('How much of the memory has been sent.'),
    memRemaining: text('How much of the memory is still to be sent.'),
    memTotal: text('How much there is to send of the memory.'),
    operation: text('What libvirt does, such as `migration_in` or `migration_out`.'),
    origin: text('The host it moves from.'),
    setupTime: text('How long it took to get ready.'),
    started: time('When it began.'),
    timeElapsed: text('How long it has been going on.'),
    timeRemaining: text('How long it is expected to go on.'),
    type: text('The state of the job in libvirt, such as `completed`.'),
  },
});

export const migration: Kind = defineKind({
  group: 'kvm.cloud.sap',
  versions: [{ name: 'v1alpha1' }],
  kind: 'Migration',
  plural: 'migrations',
  shortNames: [],
  scope: 'Namespaced',
  description: 'A live migration, as the hosts see it. It has the id of its instance as its name.',
  columns: [
    { name: 'Origin', type: 'string', jsonPath: '.status.origin' },
    { name: 'Destination', type: 'string', jsonPath: '.status.destination' },
    { name: 'Type', type: 'string', jsonPath: '.status.type' },
    { name: 'Operation', type: 'string', jsonPath: '.status.operation' },
    { name: 'Started', type: 'date', jsonPath: '.status.started' },
    { name: 'Elapsed', type: 'string', jsonPath: '.status.timeElapsed' },
    { name: 'Data Total', type: 'string', jsonPath: '.status.dataTotal' },
    { name: 'Data Processed', type: 'string', jsonPath: '.status.dataProcessed' },
    { name: 'Data Remaining', type: 'string', jsonPath: '.status.dataRemaining' },
    { name: 'Memory TX', type: 'string', jsonPath: '.status.memBps' },
    { name: 'Memory Dirty Rate', type: 'string', jsonPath: '.status.memDirtyRate' },
    { name: 'Memory Iteration', type: 'string', jsonPath: '.status.memIteration' },
  ],
  spec,
  status,
  // A server drops the status of a new object where status is a subresource, so it cannot be required too.
  required: ['metadata', 'spec'],
  hasStatus: true,
});
