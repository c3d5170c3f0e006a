import { expect, it } from 'vitest';

import { libvirtdConfig } from './libvirtd-config.ts';
import { renderConfig } from './render-config.ts';

it('listens nowhere but on its socket unless told to', () => {
  const config = libvirtdConfig({});

  expect(config).toMatchObject({ listen_tcp: false, listen_tls: false, unix_sock_rw_perms: '0700' });
  expect(renderConfig(config)).not.toMatch(/port|max_|host_uuid|_file =/);
});

it('asks for SASL over TLS only, where libvirt allows it', () => {
  const config = libvirtdConfig({ tlsPort: 16_514, tcpPort: 16_509, certificateDirectory: '/pki', sasl: true });

  expect(config).toMatchObject({
    listen_tcp: true,
    listen_tls: true,
    tcp_port: '16509',
    tls_port: '16514',
    auth_tls: 'sasl',
    auth_tcp: 'none',
    ca_file: '/pki/cacert.pem',
    cert_file: '/pki/servercert.pem',
    key_file: '/pki/serverkey.pem',
  });
});

it('writes the limits that are given', () => {
  const config = libvirtdConfig({ limits: { maxClients: 7, maxClientRequests: 8, maxWorkers: 9 } });

  expect(config).toMatchObject({ max_clients: 7, max_client_requests: 8, max_workers: 9, min_workers: undefined });
});
