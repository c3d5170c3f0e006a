import { XdrReader, XdrWriter } from '@smalt/xdr';

import { SchemaInterpreter } from './interpret.ts';
import type { Call, Message, WireSchema } from './wire-schema.ts';
import type { WireRecord } from './wire-value.ts';

/**
 * The daemon's side of the protocol without sockets: reads the arguments of calls and writes results and messages, all
 * by walking the schema.
 */
export class InterpretedDaemon {
  readonly #schema: WireSchema;
  readonly #interpreter: SchemaInterpreter;

  constructor(schema: WireSchema) {
    this.#schema = schema;
    this.#interpreter = new SchemaInterpreter(schema);
  }

  /** The arguments of a call of this name, exactly as they lie on the wire. Refuses bytes after the last one. */
  readArgs(name: string, payload: Buffer): WireRecord {
    const reader = new XdrReader(payload);
    const args = this.#interpreter.readFields(reader, this.#call(name).args);
    reader.end();
    return args;
  }

  /** The payload of a reply to a call of this name; every field of the result must be given. */
  writeResult(name: string, result: WireRecord): Buffer {
    const writer = new XdrWriter();
    this.#interpreter.writeFields(writer, this.#call(name).result, result);
    return writer.take();
  }

  /** The payload of a message of this name, with the `callbackID` where it has one. */
  writeMessage(name: string, fields: WireRecord, callbackID: number = 0): Buffer {
    const message = this.#message(name);
    const writer = new XdrWriter();
    if (message.hasCallbackID) writer.int32(callbackID);
    this.#interpreter.writeFields(writer, message.fields, fields);
    return writer.take();
  }

  #call(name: string): Call {
    const found = this.#schema.procedures.find((procedure) => procedure.name === name);
    if (found?.kind === 'call') return found;
    throw new TypeError(`there is no call ${name}`);
  }

  #message(name: string): Message {
    const found = this.#schema.procedures.find((procedure) => procedure.name === name);
    if (found?.kind === 'message') return found;
    throw new TypeError(`there is no message ${name}`);
  }
}
