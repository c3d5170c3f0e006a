import { isJsonArray, isJsonObject, jsonField, type JsonObject, type JsonValue } from '@smalt/json';

import { errorText } from '../../connection/json-rpc-connection.ts';
import { OvsError } from '../../ovs-error.ts';
import { shown } from './atom-codec.ts';
import type { OvsdbOperation } from './operation.ts';

/** One result, as far as its operation gives one. */
export type OperationResult =
  | { readonly uuid: string }
  | { readonly rows: readonly JsonObject[] }
  | { readonly count: number }
  | Readonly<Record<string, never>>;

/** Reads what `transact` answers. The first error in it is thrown, with the index of its operation. */
export function readResults(operations: readonly OvsdbOperation[], json: JsonValue): readonly OperationResult[] {
  if (!isJsonArray(json)) throw new OvsError('protocol', `transact answered ${shown(json)}, which is no list`);
  const failed = json.findIndex((result) => isJsonObject(result) && (jsonField(result, 'error') ?? null) !== null);
  if (failed >= 0) throw refusal(operations, failed, json[failed] ?? null);
  return operations.map((operation, index) => readResult(operation, json[index] ?? null));
}

// What only shows when the transaction is committed stands after the results of all operations.
function refusal(operations: readonly OvsdbOperation[], index: number, result: JsonValue): OvsError {
  const operation = operations[index];
  const what =
    operation === undefined
      ? 'the transaction'
      : `operation ${index} (${operation.op}${'table' in operation ? ` ${operation.table}` : ''})`;
  return new OvsError('refused', `${what} was refused: ${errorText(result)}`, { operation: index });
}

function readResult(operation: OvsdbOperation, json: JsonValue): OperationResult {
  if (!isJsonObject(json)) throw unexpected(operation, json);
  switch (operation.op) {
    case 'insert': {
      const uuid = jsonField(json, 'uuid');
      if (isJsonArray(uuid) && uuid[0] === 'uuid' && typeof uuid[1] === 'string') return { uuid: uuid[1] };
      throw unexpected(operation, json);
    }
    case 'select': {
      const rows = jsonField(json, 'rows');
      if (isJsonArray(rows) && rows.every(isJsonObject)) return { rows };
      throw unexpected(operation, json);
    }
    case 'update':
    case 'mutate':
    case 'delete': {
      const count = jsonField(json, 'count');
      if (typeof count === 'number') return { count };
      throw unexpected(operation, json);
    }
    case 'wait':
    case 'comment':
      return {};
  }
}

function unexpected(operation: OvsdbOperation, json: JsonValue): OvsError {
  return new OvsError('protocol', `${shown(json)} is no result of ${operation.op}`);
}
