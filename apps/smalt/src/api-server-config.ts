import type { ConfigSchema } from '@smalt/service-runtime';

/** What `smalt apiserver` can be told. */
export const apiServerConfig = {
  type: 'object',
  description:
    'Runs a Kubernetes-compatible API server until Ctrl-C. Once it is ready, it prints one line of JSON on its standard output: {"url":…,"kubeconfig":…}.',
  properties: {
    data: {
      type: 'string',
      minLength: 1,
      default: '/var/lib/smalt/apiserver',
      description: 'where the objects, the keys and the kubeconfig of the administrator live; one server at a time',
    },
    listen: {
      type: 'string',
      default: '127.0.0.1:6443',
      description: 'address and port, such as 127.0.0.1:6443 or [::1]:6443; port 0 takes any that is free',
    },
    names: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      default: [],
      description: 'further names and addresses under which clients reach the server',
    },
    log: {
      type: 'object',
      properties: {
        level: {
          type: 'string',
          enum: ['debug', 'info', 'warn', 'error', 'silent'],
          default: 'info',
          description: 'what is worth a line on the standard error',
        },
        format: {
          type: 'string',
          enum: ['json', 'pretty'],
          default: 'json',
          description: 'for programs or for people',
        },
      },
    },
  },
  required: ['data', 'listen', 'names'],
} as const satisfies ConfigSchema;
