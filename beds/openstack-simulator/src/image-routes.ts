import type { Routes } from './router.ts';
import { refusal } from './simulator-error.ts';

const IMAGES = [
  {
    id: 'a913eb71-0ced-4c6d-b5d2-eb14ef9f4003',
    name: 'cirros-kvm',
    status: 'active',
    visibility: 'public',
    disk_format: 'raw',
    container_format: 'bare',
    size: 1_048_576,
    min_disk: 0,
    min_ram: 0,
    protected: false,
    os_hidden: false,
    tags: [],
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
    schema: '/v2/schemas/image',
  },
];

/** What Glance answers: there is one image. */
export function imageRoutes(): Routes {
  return {
    'GET /images': ({ query }) => {
      const isWanted = (name: string, value: string): boolean => (query.get(name) ?? value) === value;
      const images = IMAGES.filter((image) => isWanted('name', image.name) && isWanted('status', image.status));
      return { status: 200, body: { images, first: '/v2/images', schema: '/v2/schemas/images' } };
    },
    'GET /images/{image}': ({ ids }) => {
      const image = IMAGES.find(({ id }) => id === ids['image']);
      if (image === undefined) throw refusal(404, `No image found with ID ${ids['image']}`);
      return { status: 200, body: image };
    },
  };
}
