import { isJsonArray, isJsonObject, type JsonObject } from '@smalt/json';
import { formatFieldError, type Schema } from '@smalt/resource';
import { compileSchema, type CompiledSchema } from '@smalt/structural-schema';
import type { Cause } from '@smalt/vm-admission';
import {
  readVmDefinitions,
  type MigrationPolicy,
  type VirtualMachine,
  type VirtualMachineClusterInstancetype,
  type VirtualMachineClusterPreference,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
  type VirtualMachineInstancePreset,
  type VirtualMachineInstanceReplicaSet,
  type VirtualMachineInstancetype,
  type VirtualMachinePool,
  type VirtualMachinePreference,
} from '@smalt/vm-api';

/** The objects that admission knows, by the plural names of their kinds. */
export interface KnownObjects {
  readonly virtualmachines: VirtualMachine;
  readonly virtualmachineinstances: VirtualMachineInstance;
  readonly virtualmachineinstancemigrations: VirtualMachineInstanceMigration;
  readonly virtualmachineinstancereplicasets: VirtualMachineInstanceReplicaSet;
  readonly virtualmachineinstancepresets: VirtualMachineInstancePreset;
  readonly virtualmachinepools: VirtualMachinePool;
  readonly virtualmachineinstancetypes: VirtualMachineInstancetype;
  readonly virtualmachineclusterinstancetypes: VirtualMachineClusterInstancetype;
  readonly virtualmachinepreferences: VirtualMachinePreference;
  readonly virtualmachineclusterpreferences: VirtualMachineClusterPreference;
  readonly migrationpolicies: MigrationPolicy;
}

export type KnownPlural = keyof KnownObjects;

/** Tells JSON that has the form of a kind from JSON that has not, by the schemas of the definitions. */
export class ObjectShapes {
  readonly #schemas: ReadonlyMap<string, CompiledSchema>;

  constructor(definitions: readonly JsonObject[]) {
    this.#schemas = new Map(definitions.map(schemaOf));
  }

  static async read(): Promise<ObjectShapes> {
    return new ObjectShapes(await readVmDefinitions());
  }

  /** The object as one of its kind; undefined when it does not have the form of that. */
  find<Plural extends KnownPlural>(plural: Plural, object: JsonObject): KnownObjects[Plural] | undefined {
    if (!isJsonObject(object['spec']) || !isJsonObject(object['metadata'])) return undefined;
    if (this.causes(plural, object).length > 0) return undefined;
    return asKnown(plural, object);
  }

  /** Every place where the object is not as its kind has to be. */
  causes(plural: KnownPlural, object: JsonObject): readonly Cause[] {
    const errors = this.#schemas.get(plural)?.validate(object) ?? [];
    return errors.map((error) => ({
      type: 'FieldValueInvalid',
      field: error.field,
      message: formatFieldError(error),
    }));
  }
}

/** The object as one of its kind. For those that somebody has checked already. */
export function asKnown<Plural extends KnownPlural>(_plural: Plural, object: JsonObject): KnownObjects[Plural] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema of the kind says the same as the type
  return object as unknown as KnownObjects[Plural];
}

/** An object of a known kind as the JSON that it is. */
export function asJson(object: KnownObjects[KnownPlural]): JsonObject {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only the types of kinds do not say that they are JSON
  return object as unknown as JsonObject;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function schemaOf(definition: JsonObject): readonly [string, CompiledSchema] {
  const { names, versions } = isJsonObject(definition['spec']) ? definition['spec'] : {};
  const plural = isJsonObject(names) ? textOf(names['plural']) : '';
  const stored = (isJsonArray(versions) ? versions : []).filter(isJsonObject).find(({ storage }) => storage === true);
  const schema = isJsonObject(stored?.['schema']) ? stored['schema']['openAPIV3Schema'] : undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the definitions are our own
  return [plural, compileSchema((schema ?? { type: 'object' }) as unknown as Schema)];
}
