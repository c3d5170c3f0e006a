import { virtualMachineKind } from '@smalt/vm-api';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';

import type { ApiError } from '../../../api/api-error.ts';
import { useServices } from '../../../services.ts';
import { asApiError } from './use-dry-run.ts';

export interface CreateMachine {
  readonly isCreating: boolean;
  /** Why the last attempt failed. */
  readonly failure: ApiError | undefined;
  readonly create: (object: object, namespace: string) => Promise<void>;
}

/** Creates a machine and goes to its page. */
export function useCreateMachine(): CreateMachine {
  const { api, notices } = useServices();
  const navigate = useNavigate();
  const [isCreating, setIsCreating] = useState(false);
  const [failure, setFailure] = useState<ApiError>();
  const create = async (object: object, namespace: string): Promise<void> => {
    setIsCreating(true);
    setFailure(undefined);
    try {
      const { metadata } = await api.create(virtualMachineKind, object, { namespace });
      notices.tell({ tone: 'done', title: `${metadata.name} was created`, lines: [] });
      const params = { namespace: metadata.namespace ?? namespace, name: metadata.name };
      await navigate({ to: '/virtual-machines/$namespace/$name', params });
    } catch (error) {
      setFailure(asApiError(error));
    } finally {
      setIsCreating(false);
    }
  };
  return { isCreating, failure, create };
}
