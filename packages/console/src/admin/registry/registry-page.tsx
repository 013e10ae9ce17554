import type { EndpointView, KeyView, ModelView, VendorView } from '@kith/protocol';
import { useState } from 'react';
import { Badge, Button, Card, EmptyState, LoadFailure, Loading } from '../../design/index.ts';
import { useWords } from '../../language/index.ts';
import { AdminFrame } from '../admin-frame.tsx';
import { useEndpoints, useKeys, useModels, useVendors } from '../infra-data.ts';
import { Endpoints } from './endpoints.tsx';
import { Keys } from './keys.tsx';
import { Models } from './models.tsx';
import { RowDeeds } from './row-deeds.tsx';
import { VendorDialog } from './vendor-dialog.tsx';
import { registryWords } from './words.ts';

export function RegistryPage() {
  const words = useWords(registryWords);
  const [isAdding, setAdding] = useState(false);
  return (
    <AdminFrame
      page="models"
      actions={
        <Button look="primary" size="small" icon="add" onClick={() => setAdding(true)}>
          {words.addVendor}
        </Button>
      }
    >
      <p className="text-soft">{words.vendorHint}</p>
      <Vendors />
      {isAdding && <VendorDialog onClose={() => setAdding(false)} />}
    </AdminFrame>
  );
}

function Vendors() {
  const words = useWords(registryWords);
  const vendors = useVendors();
  const endpoints = useEndpoints();
  const keys = useKeys();
  const models = useModels();
  const all = [vendors, endpoints, keys, models];
  const failed = all.find(({ error }) => error);
  if (failed) {
    return <LoadFailure error={failed.error} onRetry={() => void Promise.all(all.map(({ refetch }) => refetch()))} />;
  }
  if (!vendors.data || !endpoints.data || !keys.data || !models.data) return <Loading lines={5} />;
  if (vendors.data.length === 0) {
    return (
      <Card>
        <EmptyState icon="key" title={words.empty}>
          {words.emptyHint}
        </EmptyState>
      </Card>
    );
  }
  const of = <Row extends { vendor_id: string }>(rows: readonly Row[], { id }: VendorView) =>
    rows.filter(({ vendor_id }) => vendor_id === id);
  return vendors.data.map((vendor) => (
    <Vendor
      key={vendor.id}
      vendor={vendor}
      endpoints={of(endpoints.data, vendor)}
      keys={of(keys.data, vendor)}
      models={of(models.data, vendor)}
    />
  ));
}

interface VendorProps {
  vendor: VendorView;
  endpoints: readonly EndpointView[];
  keys: readonly KeyView[];
  models: readonly ModelView[];
}

function Vendor({ vendor, endpoints, keys, models }: VendorProps) {
  const words = useWords(registryWords);
  return (
    <Card
      aria-label={vendor.name}
      title={
        <span className="flex flex-wrap items-center gap-2">
          {vendor.name}
          <code className="text-sm font-normal text-faint">{vendor.id}</code>
          <Badge>{vendor.adapter}</Badge>
          <Badge>{words.source[vendor.source]}</Badge>
        </span>
      }
      actions={
        <RowDeeds
          resource="vendors"
          id={vendor.id}
          name={vendor.name}
          enabled={vendor.enabled}
          removeTitle={words.removeVendorTitle(vendor.name)}
          removeHint={words.removeVendorHint}
        />
      }
    >
      <div className="grid grid-cols-1 gap-6">
        <Endpoints vendorId={vendor.id} endpoints={endpoints} />
        <Keys vendorId={vendor.id} keys={keys} />
        <Models vendorId={vendor.id} models={models} />
      </div>
    </Card>
  );
}
