import { isDeepStrictEqual } from 'node:util';

import type { XdrWriter } from '@smalt/xdr';

import { procedures } from '../src/generated/procedures.gen.ts';
import { writeDomain, type Domain } from '../src/generated/structs.gen.ts';
import { isLibvirtError } from '../src/libvirt-error.ts';
import type { RandomSource } from './random-source.ts';

const LONGEST_LIST = 16_384;
const LONGEST_STRING_BYTES = 4_194_304;

/** A reply that a sound daemon gives, and what the caller must get. */
export interface CorrectReply {
  readonly payload: (writer: XdrWriter) => void;
  /** Whether this is what must have become of the call. */
  readonly isRight: (outcome: unknown) => boolean;
}

/** A reply to a call of this procedure, or nothing where only wrong ones are known. */
export function correctReply(random: RandomSource, procedure: number): CorrectReply | undefined {
  switch (procedure) {
    case procedures.domainGetInfo.number:
      return domainInfo(random);
    case procedures.domainGetXmlDesc.number:
      return text(random.oneIn(200) ? LONGEST_STRING_BYTES : random.integer(300));
    case procedures.connectListAllDomains.number:
      return domainList(random.oneIn(100) ? LONGEST_LIST + random.integer(2) : random.integer(20));
    default:
      return undefined;
  }
}

function domainInfo(random: RandomSource): CorrectReply {
  const [state, virtualCpus] = [random.integer(8), random.integer(0x1_0000_0000)];
  const [maxMemory, memory, cpuTime] = [random.bytes(8), random.bytes(8), random.bytes(8)].map((bytes) =>
    bytes.readBigUInt64BE(),
  );
  return {
    payload: (writer) => {
      writer.uint32(state);
      writer.uint64(maxMemory ?? 0n);
      writer.uint64(memory ?? 0n);
      writer.uint32(virtualCpus);
      writer.uint64(cpuTime ?? 0n);
    },
    isRight: (outcome) => isDeepStrictEqual(outcome, { state, maxMemory, memory, virtualCpus, cpuTime }),
  };
}

function text(length: number): CorrectReply {
  const value = 'x'.repeat(length);
  return { payload: (writer) => writer.string(value), isRight: (outcome) => outcome === value };
}

/** One domain more than there may be is refused, and the connection goes on. */
function domainList(length: number): CorrectReply {
  const uuid = '00000000-0000-4000-8000-000000000001';
  const domains = Array.from({ length }, (_, id): Domain => ({ name: `domain-${id}`, uuid, id }));
  return {
    payload: (writer) => {
      writer.uint32(length);
      for (const domain of domains) writeDomain(writer, domain);
      writer.uint32(length);
    },
    isRight: (outcome) =>
      length > LONGEST_LIST ? isLibvirtError(outcome, 'protocol') : isDeepStrictEqual(outcome, domains),
  };
}
