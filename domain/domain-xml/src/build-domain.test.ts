import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { element, parseXml, printXml } from '@smalt/xml';

import { buildDomain, printDomain } from './build-domain.ts';
import { findDevice } from './device-alias.ts';
import { disksStep } from './disks/disks-step.ts';
import { deviceStep, rootStep } from './domain-step.ts';
import { aContext, anInstance, aRecipe } from './fixtures/an-instance.ts';
import { readDomain } from './reading/read-domain.ts';
import { firmwareStep } from './root/firmware-step.ts';
import { identityStep } from './root/identity-step.ts';
import { memoryStep } from './root/memory-step.ts';

it('puts the elements of steps in the order of the steps, devices last', () => {
  const recipe = aRecipe(
    deviceStep('first', () => [element('a')]),
    rootStep('second', () => [element('b')]),
    deviceStep('third', (_, devices) => [element('c', { after: devices.length })]),
  );

  const domain = buildDomain(recipe, anInstance(), aContext());

  expect(printXml(domain)).toBe("<domain type='kvm'><b/><devices><a/><c after='1'/></devices></domain>");
});

it('finds a device by its name, and tells lists apart', () => {
  const volumes = ['a', 'b'].map(
    (name) => ({ name, source: { kind: 'file', path: `/${name}` }, format: 'raw', supportsDirectIo: true }) as const,
  );
  const instance = anInstance({ devices: { disks: [{ name: 'a' }, { name: 'b' }] } });

  const domain = buildDomain(aRecipe(disksStep), instance, aContext({ volumes }));

  expect(printXml(findDevice(domain, 'disk', 'b') ?? element('none'))).toContain("<source file='/b'/>");
  expect([findDevice(domain, 'disk', 'c'), findDevice(domain, 'interface', 'a')]).toEqual([undefined, undefined]);
});

it('says what cannot be written', () => {
  const instance = anInstance({ firmware: { kernelBoot: { kernelArgs: 'a\u0000b', container: { image: 'i' } } } });

  expect(() => printDomain(aRecipe(firmwareStep), instance, aContext())).toThrow(
    expect.objectContaining({ code: 'unprintable', message: expect.stringContaining('domain/os/cmdline') }),
  );
});

it('lets no text of an instance become an element', () => {
  const steps = aRecipe(identityStep, memoryStep, firmwareStep);
  fc.assert(
    fc.property(fc.string(), (kernelArgs) => {
      const instance = anInstance({ firmware: { kernelBoot: { kernelArgs, container: { image: 'i' } } } });
      fc.pre(!/[^\t\n\r -\uD7FF\uE000-\uFFFD]/u.test(kernelArgs));
      const text = printDomain(steps, instance, aContext());

      expect(readDomain(text).name).toBe('default_guest');
      expect(parseXml(text).root.children.filter(({ kind }) => kind === 'element')).toHaveLength(6);
    }),
  );
});
