import { defaultOpenStackComputeSettings as openStack } from '@smalt/openstack-compute';

import { choice, count, milliseconds, onOff, optionalText, section, text, type Section } from './config-section.ts';
import type { OpenStackConfig } from './operator-config.ts';

const { smokeTest } = openStack;

export const openStackSection: Section<OpenStackConfig> = section({
  cloud: optionalText('', 'which cloud of clouds.yaml; else OS_CLOUD, else the OS_* variables'),
  allowsInsecure: onOff(false, 'accept a cloud whose settings say that its certificate is not to be checked'),
  timeoutMs: milliseconds(30_000, 'how long, in ms, one attempt at a request may take'),
  attempts: count(5, 'how often a request is tried where that cannot harm'),
  mostRequests: count(32, 'how many requests are under way at a time'),
  smokeTest: section({
    image: text(smokeTest.image, 'the name of the image of test instances'),
    flavor: text(smokeTest.flavor, 'the id or the name of their flavor'),
    network: optionalText('', 'the name or id of their network, or none; empty takes the first that is not shared'),
    volume: section({
      isUsed: onOff(smokeTest.volume.isUsed, 'boot them from a volume; else from the image'),
      type: text(smokeTest.volume.type, 'the type of that volume'),
      sizeGiB: count(smokeTest.volume.sizeGiB, 'its size'),
    }),
    project: optionalText(
      smokeTest.project?.name ?? '',
      'the project that test instances live in; empty: that of the operator',
    ),
    projectDomain: text(smokeTest.project?.domain ?? '', 'the domain of that project'),
    lookupMs: milliseconds(smokeTest.lookupMs, 'how long, in ms, the ids of image, flavor and network are kept'),
  }),
  blockMigration: choice(['auto', 'always', 'never'], 'auto', 'whether live moves copy local disks'),
  movesVirtualGpus: onOff(openStack.movesVirtualGpus, 'this Nova moves instances with a virtual GPU while they run'),
  listingMs: milliseconds(openStack.listingMs, 'how old, in ms, a listing may be that is shared by all who ask'),
  mostTargets: count(openStack.mostTargets, 'how many hosts Placement names at most for an instance'),
});
