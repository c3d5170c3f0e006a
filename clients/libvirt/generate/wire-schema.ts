import type { WireType } from './wire-type.ts';

/** One field of a struct, a message, or a call's arguments or result. */
export interface Field {
  readonly name: string;
  readonly type: WireType;
}

/** What an argument is when the caller leaves it out; `fixed` when the caller has no say. */
interface ArgumentDefault {
  readonly value: number | 'empty';
  readonly fixed: boolean;
}

export interface Argument extends Field {
  readonly preset: ArgumentDefault | undefined;
}

/** A field of a result; one that only counts the list before it is read and dropped. */
export interface ResultField extends Field {
  readonly isCount: boolean;
}

export interface Struct {
  readonly name: string;
  readonly fields: readonly Field[];
}

export interface Call {
  readonly kind: 'call';
  readonly program: number;
  readonly number: number;
  readonly name: string;
  readonly isHighPriority: boolean;
  readonly isInternal: boolean;
  readonly passesFileDescriptors: boolean;
  readonly stream: 'read' | 'write' | 'both' | undefined;
  /** The call that tells how many parameters there are, often the call itself. */
  readonly countedBy: string | undefined;
  readonly args: readonly Argument[];
  readonly result: readonly ResultField[];
}

/** What a message reports: something happening to an object, for which clients register with an id. */
export interface ObjectEvent {
  readonly object: string;
  readonly id: number;
  readonly kind: string;
}

export interface Message {
  readonly kind: 'message';
  readonly program: number;
  readonly number: number;
  readonly name: string;
  /** Whether the id of the registration goes before the fields. */
  readonly hasCallbackID: boolean;
  readonly event: ObjectEvent | undefined;
  readonly fields: readonly Field[];
}

/** Everything the daemon and the client say to each other. */
export interface WireSchema {
  readonly structs: ReadonlyMap<string, Struct>;
  readonly procedures: readonly (Call | Message)[];
}
