import { expect, it } from 'vitest';

import { anInstance } from '../fixtures/an-instance.ts';
import { readPins } from '../reading/read-pins.ts';
import { pinElsewhere } from './pin-elsewhere.ts';

const cells = [{ id: 0, cpus: [0, 1, 2, 3].map((id) => ({ id, siblings: [id] })) }];
const own = anInstance({ cpu: { cores: 2, dedicatedCpuPlacement: true } });

it('puts the threads of a domain on the processors that are its own on the other node, and changes nothing else', () => {
  const text = `<domain type='kvm'>
  <name>a</name>
  <cputune>
    <vcpupin vcpu='0' cpuset='0'/>
    <vcpupin vcpu='1' cpuset='1'/>
    <emulatorpin cpuset='0-1'/>
  </cputune>
  <os/>
</domain>`;

  const moved = pinElsewhere(text, { instance: own, context: { dedicatedCpus: [2, 3], node: { cells } } });

  expect(readPins(moved)).toEqual({
    processors: [
      { virtual: 0, cpus: [2] },
      { virtual: 1, cpus: [3] },
    ],
    emulator: [2, 3],
    ioThreads: [],
  });
  expect(moved.replace(/<cputune>[^]*<\/cputune>/u, '')).toBe(text.replace(/<cputune>[^]*<\/cputune>/u, ''));
});

it('adds the pins where there are none', () => {
  const there = { instance: own, context: { dedicatedCpus: [1, 3], node: { cells } } };

  const moved = pinElsewhere("<domain type='kvm'><name>a</name></domain>", there);

  expect(readPins(moved).processors).toEqual([
    { virtual: 0, cpus: [1] },
    { virtual: 1, cpus: [3] },
  ]);
});

it('refuses a node that has too few for it', () => {
  const there = { instance: own, context: { dedicatedCpus: [1], node: { cells } } };

  expect(() => pinElsewhere("<domain type='kvm'/>", there)).toThrow(expect.objectContaining({ code: 'too-few-cpus' }));
});

it.each(["<memory mode='strict' nodeset='0'/>", "<memnode cellid='0' mode='strict' nodeset='1'/>"])(
  'refuses a domain whose memory is bound to cells of its node: %s',
  (tuning) => {
    const there = { instance: own, context: { dedicatedCpus: [1, 3], node: { cells } } };
    const text = `<domain type='kvm'><numatune>${tuning}</numatune></domain>`;

    expect(() => pinElsewhere(text, there)).toThrow(expect.objectContaining({ code: 'unsupported-by-node' }));
  },
);

it('lets a domain go whose memory is wherever its node finds room', () => {
  const there = { instance: own, context: { dedicatedCpus: [1, 3], node: { cells } } };
  const text = "<domain type='kvm'><numatune><memory mode='strict' placement='auto'/></numatune></domain>";

  expect(readPins(pinElsewhere(text, there)).emulator).toEqual([1, 3]);
});

it('leaves a domain alone whose threads run anywhere', () => {
  const text = "<domain type='kvm'><name>a</name></domain>";

  expect(pinElsewhere(text, { instance: anInstance({}), context: { node: { cells } } })).toBe(text);
});
