import { PriceView } from '@kith/protocol';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/index.ts';
import { Badge, Card, Checkbox, classes, EmptyState, JsonText, LoadFailure, Loading } from '../../design/index.ts';
import { useFormat, useWords } from '../../language/index.ts';
import { AdminFrame } from '../admin-frame.tsx';
import { listOf } from '../list-of.ts';
import { bandsOf } from './price-card.ts';
import { priceWords } from './words.ts';

const Prices = listOf('prices', PriceView);

export function PricesPage() {
  return (
    <AdminFrame page="prices">
      <PriceList />
    </AdminFrame>
  );
}

function PriceList() {
  const words = useWords(priceWords);
  const [onlyNow, setOnlyNow] = useState(true);
  const { data, error, refetch } = useQuery({
    queryKey: ['infra', 'prices'],
    queryFn: ({ signal }) => api.get('api/v1/infra/prices', Prices, { signal }),
    // A band ends on the minute.
    refetchInterval: 60_000,
  });
  if (error) return <LoadFailure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading lines={5} />;
  const shown = data.filter((price) => price.in_force || !onlyNow);
  const inUse = shown.filter(({ model_id }) => model_id !== null);
  const others = shown.filter(({ model_id }) => model_id === null);
  return (
    <>
      <p className="text-soft">{words.hint}</p>
      <Checkbox label={words.onlyNow} checked={onlyNow} onChange={(event) => setOnlyNow(event.target.checked)} />
      {shown.length === 0 && <EmptyState icon="chart" title={words.none} />}
      <Cards title={words.inUse} prices={inUse} />
      <Cards title={words.others} prices={others} />
    </>
  );
}

function Cards({ title, prices }: { title: string; prices: readonly PriceView[] }) {
  if (prices.length === 0) return null;
  return (
    <section className="grid gap-3">
      <h2 className="font-semibold">{title}</h2>
      <div className="grid grid-cols-1 gap-3 wide:grid-cols-2">
        {prices.map((price) => (
          <PriceCard key={price.vendor + price.model + price.effective_from} price={price} />
        ))}
      </div>
    </section>
  );
}

function PriceCard({ price }: { price: PriceView }) {
  const words = useWords(priceWords);
  const bandName = (name: string) => words.bands[name] ?? name;
  return (
    <Card
      title={
        <span className="flex flex-wrap items-center gap-2">
          <span className="font-mono text-sm wrap-anywhere">
            {price.vendor}/{price.model}
          </span>
          <Badge tone={price.in_force ? 'good' : 'plain'}>{price.in_force ? words.inForce : words.notNow}</Badge>
          {price.band && <Badge tone="accent">{words.bandNow(bandName(price.band))}</Badge>}
        </span>
      }
    >
      <Bands price={price} />
      <p className="mt-2 text-sm text-faint">
        {words.from(price.effective_from.slice(0, 10))}
        {price.effective_until && ` ${words.until(price.effective_until.slice(0, 10))}`} · {price.timezone}
      </p>
      <details className="mt-2">
        <summary className="w-fit text-sm text-soft hover:text-ink">{words.card}</summary>
        <JsonText label={words.card} value={price.card} className="mt-2" />
      </details>
    </Card>
  );
}

function Bands({ price }: { price: PriceView }) {
  const words = useWords(priceWords);
  const format = useFormat();
  return (
    <ul className="grid gap-1.5">
      {bandsOf(price.card).map(({ name, when, tiers }) => (
        <li
          key={name}
          className={classes('rounded-control px-2.5 py-1.5', name === price.band ? 'bg-accent-wash' : 'bg-sunken')}
        >
          <p className="flex flex-wrap gap-x-2 text-sm">
            <span className="font-medium">{words.bands[name] ?? name}</span>
            <span className="text-soft tabular-nums">{when}</span>
          </p>
          {tiers.map(({ above, prices }) => (
            <div key={above} className="flex flex-wrap gap-x-4 text-sm tabular-nums">
              {above > 0 && <span className="text-soft">{words.above(format.short(above))}</span>}
              <dl className="flex flex-wrap gap-x-4">
                {prices.map(({ kind, of, amount }) => (
                  <div key={kind + of} className="flex gap-1.5">
                    <dt className="text-soft">
                      {words.kinds[kind] ?? kind} {of}
                    </dt>
                    <dd className="font-medium">¥{amount}</dd>
                  </div>
                ))}
              </dl>
            </div>
          ))}
        </li>
      ))}
    </ul>
  );
}
