import { describe, expect, it } from 'vitest';

import { readDomainCapabilities, readFeatures } from './read-domain-capabilities.ts';

describe('readDomainCapabilities', () => {
  it('names the models that work, and what the host looks like to guests', () => {
    const abilities = readDomainCapabilities(CAPABILITIES);

    expect(abilities).toMatchObject({
      cpuModels: ['pentium3', 'Nehalem'],
      hostModel: { name: 'Icelake-Server', vendor: 'Intel', requiredFeatures: ['ss', 'hypervisor'] },
      traits: [],
    });
    expect(abilities.hostModel?.xml).toMatch(/^<cpu mode='custom'><model fallback='forbid'>Icelake-Server<.*<\/cpu>$/u);
  });

  it.each([
    [['sev'], "<sev supported='yes'><maxESGuests>0</maxESGuests></sev>"],
    [['sev', 'sev-es'], "<sev supported='yes'><maxESGuests>15</maxESGuests></sev>"],
    [['s390-pv'], "<s390-pv supported='yes'/>"],
    [['tdx'], "<tdx supported='yes'/>"],
    [[], "<sev supported='no'/>"],
  ])('finds %j in %s', (traits, features) => {
    const text = `<domainCapabilities><features>${features}</features></domainCapabilities>`;

    expect(readDomainCapabilities(text)).toEqual({ cpuModels: [], hostModel: undefined, traits });
  });

  it('says when libvirt tells nonsense', () => {
    expect(() => readDomainCapabilities('nonsense')).toThrow(expect.objectContaining({ code: 'unavailable' }));
  });
});

describe('readFeatures', () => {
  it('names those that are there', () => {
    const text =
      "<cpu><model>x</model><feature policy='require' name='avx'/><feature policy='disable' name='pku'/></cpu>";

    expect(readFeatures(text)).toEqual(['avx']);
  });
});

const CAPABILITIES = `
<domainCapabilities>
  <cpu>
    <mode name='host-passthrough' supported='yes'/>
    <mode name='host-model' supported='yes'>
      <model fallback='forbid'>Icelake-Server</model>
      <vendor>Intel</vendor>
      <feature policy='require' name='ss'/>
      <feature policy='require' name='hypervisor'/>
      <feature policy='disable' name='avx'/>
    </mode>
    <mode name='custom' supported='yes'>
      <model usable='no' vendor='unknown'>qemu64</model>
      <model usable='yes' vendor='unknown'>pentium3</model>
      <model usable='yes' vendor='Intel'>Nehalem</model>
    </mode>
  </cpu>
  <features>
    <sev supported='no'/>
  </features>
</domainCapabilities>`;
