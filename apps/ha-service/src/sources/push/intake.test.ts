import { describe, expect, it } from 'vitest';

import { Intake } from './intake.ts';

describe('Intake', () => {
  it('lets four batches of a node in, and the next one when one has left', () => {
    const intake = new Intake();
    const first = Array.from({ length: 5 }, () => intake.admit('n1', 1, 100));

    intake.leave('n1', 1);

    expect(first).toEqual(['admitted', 'admitted', 'admitted', 'admitted', 'node-busy']);
    expect(intake.admit('n1', 1, 100)).toBe('admitted');
    expect(intake.admit('n2', 1, 100)).toBe('admitted');
  });

  it('is full when as many wait as may, or when they are too large together', () => {
    const few = new Intake();
    const large = new Intake();

    const admissions = [few.admit('n1', 1, 1), few.admit('n2', 1, 1)];
    const largeOnes = [large.admit('n1', 200_000_000, 9), large.admit('n2', 200_000_000, 9), large.admit('n3', 1, 9)];

    expect(admissions).toEqual(['admitted', 'full']);
    expect(largeOnes).toEqual(['admitted', 'full', 'admitted']);
  });

  it('is empty again when all have left', () => {
    const intake = new Intake();
    intake.admit('n1', 200_000_000, 1);
    intake.leave('n1', 200_000_000);

    expect(intake.admit('n2', 200_000_000, 1)).toBe('admitted');
  });
});
