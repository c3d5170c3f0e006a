import { describe, expect, it } from 'vitest';

import { judge } from '../../fixtures/judge.ts';
import { invalid, required } from '../../cause.ts';
import { domain } from '../../fixtures/small-instance.ts';

const REQUEST = 'spec.domain.resources.requests.memory';
const LIMIT = 'spec.domain.resources.limits.memory';
const PAGE = 'spec.domain.memory.hugepages.pageSize';

describe('the rules about memory', () => {
  it.each([
    {
      rule: 'an instance has memory',
      bad: domain({ memory: {} }),
      causes: [
        required(
          '',
          `no memory requested, at least one of 'spec.domain.memory.guest', '${PAGE}' or '${REQUEST}' must be set`,
        ),
      ],
      good: domain({ memory: {}, resources: { requests: { memory: '64Mi' } } }),
    },
    {
      rule: 'a request is not negative',
      bad: domain({ resources: { requests: { memory: '-1Gi' } } }),
      causes: [invalid(REQUEST, `${REQUEST} '-1Gi': must be greater than or equal to 0.`)],
      good: domain({ resources: { requests: { memory: '0' } } }),
    },
    {
      rule: 'a request is at least a megabyte',
      bad: domain({ resources: { requests: { memory: '900k' } } }),
      causes: [invalid(REQUEST, `${REQUEST} '900k': must be greater than or equal to 1M.`)],
      good: domain({ resources: { requests: { memory: '1M' } } }),
    },
    {
      rule: 'a limit is not negative',
      bad: domain({ resources: { limits: { memory: -5 } } }),
      causes: [invalid(LIMIT, `${LIMIT} '-5': must be greater than or equal to 0.`)],
      good: domain({ resources: { limits: { memory: '128Mi' } } }),
    },
    {
      rule: 'no more is requested than allowed',
      bad: domain({ resources: { requests: { memory: '1Gi' }, limits: { memory: '512Mi' } } }),
      causes: [invalid(REQUEST, `${REQUEST} '1Gi' is greater than ${LIMIT} '512Mi'`)],
      good: domain({ resources: { requests: { memory: '1Gi' }, limits: { memory: '1024Mi' } } }),
    },
    {
      rule: 'a page size can be read',
      bad: domain({ memory: { guest: '64Mi', hugepages: { pageSize: '2ab' } } }),
      causes: [
        invalid(
          PAGE,
          `${PAGE} '2ab': quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`,
        ),
      ],
      good: domain({ memory: { guest: '64Mi', hugepages: { pageSize: '2Mi' } } }),
    },
    {
      rule: 'an amount can be read',
      bad: domain({ memory: { guest: '1e1.5' } }),
      causes: [
        invalid(
          'spec.domain.memory.guest',
          "spec.domain.memory.guest '1e1.5': quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
        ),
      ],
      good: domain({ memory: { guest: '1e8' } }),
    },
    {
      rule: 'an amount is one that there can be',
      bad: domain({ memory: { guest: '1e5000' }, resources: { requests: { cpu: '1e999999999' } } }),
      causes: [
        invalid(
          'spec.domain.resources.requests.cpu',
          "spec.domain.resources.requests.cpu '1e999999999': must be an amount that a machine can have.",
        ),
        invalid(
          'spec.domain.memory.guest',
          "spec.domain.memory.guest '1e5000': must be an amount that a machine can have.",
        ),
      ],
      good: domain({ memory: { guest: '0e5000' } }),
    },
    {
      rule: 'a page has a size',
      bad: domain({ memory: { guest: '64Mi', hugepages: { pageSize: '0' } } }),
      causes: [invalid(PAGE, `${PAGE} '0': must be greater than 0.`)],
      good: domain({ memory: { hugepages: { pageSize: '2Mi' } } }),
    },
    {
      rule: 'memory is at least a page',
      bad: domain({ memory: { hugepages: { pageSize: '1Gi' } }, resources: { requests: { memory: '64Mi' } } }),
      causes: [invalid(REQUEST, `${REQUEST} '64Mi' must be equal to or larger than page size ${PAGE} '1Gi'`)],
      good: domain({ memory: { hugepages: { pageSize: '1Gi' } }, resources: { requests: { memory: '1Gi' } } }),
    },
    {
      rule: 'memory is a whole number of pages',
      bad: domain({ memory: { guest: '65Mi', hugepages: { pageSize: '2Mi' } } }),
      causes: [invalid(REQUEST, `${REQUEST} '0' is not a multiple of the page size ${PAGE} '2Mi'`)],
      good: domain({ memory: { guest: '66Mi', hugepages: { pageSize: '2Mi' } } }),
    },
  ])('$rule', ({ bad, causes, good }) => {
    expect(judge(bad)).toEqual(causes);
    expect(judge(good)).toEqual([]);
  });

  it('lets the guest have more than the limit only where memory can grow', () => {
    const bad = domain({ memory: { guest: '128Mi' }, resources: { limits: { memory: '64Mi' } } });

    expect(judge(bad, { rolloutStrategy: 'LiveUpdate' })).toEqual([]);
    expect(judge(bad, { rolloutStrategy: 'Stage' })).toEqual([
      invalid(
        'spec.domain.memory.guest',
        `spec.domain.memory.guest '128Mi' must be equal to or less than the memory limit ${LIMIT} '64Mi'`,
      ),
    ]);
    expect(
      judge(domain({ memory: { guest: '64Mi' }, resources: { limits: { memory: '64Mi' } } }), {
        rolloutStrategy: 'Stage',
      }),
    ).toEqual([]);
  });
});
