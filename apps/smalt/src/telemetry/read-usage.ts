import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';
import type { MigrationUsage, NamedInstanceUsage, NodeUsage } from '@smalt/vm-api';

/** A message of `nodes/NAME/usage`. What is missing in it counts as 0: a node may be older or newer than this program. */
export function readNodeUsage(message: JsonObject): NodeUsage {
  const host = objectAt(message, 'host');
  return {
    at: textAt(message, 'at'),
    host: {
      cpuBusySeconds: numberAt(host, 'cpuBusySeconds'),
      cpus: numberAt(host, 'cpus'),
      load1: numberAt(host, 'load1'),
      memoryUsedBytes: numberAt(host, 'memoryUsedBytes'),
      memoryTotalBytes: numberAt(host, 'memoryTotalBytes'),
    },
    machines: objectsAt(message, 'machines').map(readMachine),
  };
}

function readMachine(machine: JsonObject): NamedInstanceUsage {
  const cpu = objectAt(machine, 'cpu');
  const memory = objectAt(machine, 'memory');
  const migration = machine['migration'];
  return {
    namespace: textAt(machine, 'namespace'),
    name: textAt(machine, 'name'),
    at: textAt(machine, 'at'),
    cpu: { seconds: numberAt(cpu, 'seconds'), vcpus: numberAt(cpu, 'vcpus') },
    memory: {
      residentBytes: numberAt(memory, 'residentBytes'),
      usedBytes: numberAt(memory, 'usedBytes'),
      totalBytes: numberAt(memory, 'totalBytes'),
    },
    disks: objectsAt(machine, 'disks').map((disk) => ({
      name: textAt(disk, 'name'),
      readBytes: numberAt(disk, 'readBytes'),
      writtenBytes: numberAt(disk, 'writtenBytes'),
      reads: numberAt(disk, 'reads'),
      writes: numberAt(disk, 'writes'),
    })),
    interfaces: objectsAt(machine, 'interfaces').map((card) => ({
      name: textAt(card, 'name'),
      receivedBytes: numberAt(card, 'receivedBytes'),
      sentBytes: numberAt(card, 'sentBytes'),
    })),
    ...(isJsonObject(migration) ? { migration: readMigration(migration) } : {}),
  };
}

/** How far a migration is, in a message of an instance or a node. */
export function readMigration(migration: JsonObject): MigrationUsage {
  const mode = migration['mode'];
  const downtimeMs = migration['downtimeMs'];
  return {
    mode: mode === 'PostCopy' || mode === 'Paused' ? mode : 'PreCopy',
    totalBytes: numberAt(migration, 'totalBytes'),
    processedBytes: numberAt(migration, 'processedBytes'),
    remainingBytes: numberAt(migration, 'remainingBytes'),
    bytesPerSecond: numberAt(migration, 'bytesPerSecond'),
    dirtyBytesPerSecond: numberAt(migration, 'dirtyBytesPerSecond'),
    ...(downtimeMs === undefined ? {} : { downtimeMs: numberAt(migration, 'downtimeMs') }),
    elapsedMs: numberAt(migration, 'elapsedMs'),
    iteration: numberAt(migration, 'iteration'),
    throttlePercent: numberAt(migration, 'throttlePercent'),
  };
}

function objectAt(object: JsonObject, field: string): JsonObject {
  const value: JsonValue | undefined = object[field];
  return isJsonObject(value) ? value : {};
}

function objectsAt(object: JsonObject, field: string): readonly JsonObject[] {
  const value: JsonValue | undefined = object[field];
  return isJsonArray(value) ? value.filter(isJsonObject) : [];
}

function numberAt(object: JsonObject, field: string): number {
  const value = Number(object[field]);
  return Number.isFinite(value) ? value : 0;
}

function textAt(object: JsonObject, field: string): string {
  const value = object[field];
  return typeof value === 'string' ? value : '';
}
