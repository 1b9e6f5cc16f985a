// Uses two published clients, unmodified, the way their users do. Arguments: the site's address, a login, its application
// password. Prints a line per check and ends with status 1 at the first that fails.
'use strict';

const assert = require('node:assert/strict');
const WPAPI = require('wpapi');
const { default: apiFetch } = require('@wordpress/api-fetch');

const [base, username, password] = process.argv.slice(2);
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

async function check(name, body) {
  try {
    await body();
    console.log(`passed: ${name}`);
  } catch (error) {
    console.log(`FAILED: ${name}`);
    console.log(error);
    process.exit(1);
  }
}

async function discovery() {
  const site = await WPAPI.discover(base);
  const cms = site.namespace('cms/v2');

  await check('wpapi finds the routes of the site by itself', () => {
    for (const route of ['posts', 'pages', 'media', 'categories', 'tags', 'users']) {
      assert.equal(typeof cms[route], 'function', route);
    }
    assert.equal(typeof site.namespace('oembed/1.0').embed, 'function');
  });

  await check('wpapi pages through a list', async () => {
    const first = await cms.posts().perPage(5).param('orderby', 'id');
    assert.equal(first.length, 5);
    assert.ok(first._paging.total >= 12);
    const second = await first._paging.next;
    assert.equal(second.length, 5);
    assert.notDeepEqual(second.map((post) => post.id), first.map((post) => post.id));
    const back = await second._paging.prev;
    assert.deepEqual(back.map((post) => post.id), first.map((post) => post.id));
  });

  await check('wpapi filters, embeds and chooses fields', async () => {
    const [alpha] = await cms.posts().slug('alpha').embed();
    assert.equal(alpha.title.rendered, 'Alpha opening');
    assert.equal(alpha._embedded.author[0].name, 'Site Admin');
    assert.ok(alpha._embedded['wp:term'].flat().some((term) => term.slug === 'news'));
    const found = await cms.pages().search('reworded').param('_fields', 'id,slug');
    assert.deepEqual(found.map((page) => Object.keys(page).sort()), [['id', 'slug']]);
  });

  await check('wpapi reports errors with their code', async () => {
    await assert.rejects(cms.posts().id(999999).get(), (error) => error.code === 'rest_post_invalid_id');
    await assert.rejects(cms.posts().create({ title: 'x' }), (error) => error.code === 'rest_cannot_create');
  });

  await check('wpapi creates, changes and deletes', async () => {
    const signedIn = await WPAPI.discover(base).then((found) => found.auth({ username, password }));
    const posts = () => signedIn.namespace('cms/v2').posts();
    const created = await posts().create({ title: 'By a client', content: 'One', status: 'publish' });
    assert.equal(created.slug, 'by-a-client');
    const changed = await posts().id(created.id).update({ content: 'Two', status: 'draft' });
    assert.equal(changed.content.raw, 'Two');
    const revisions = await posts().id(created.id).revisions().get();
    assert.equal(revisions.length, 1);
    const mine = await signedIn.namespace('cms/v2').users().me().get();
    assert.equal(mine.id, created.author);
    assert.equal((await posts().id(created.id).delete()).status, 'trash');
    assert.equal((await posts().id(created.id).delete({ force: true })).deleted, true);
  });

  await check('wpapi uploads a picture', async () => {
    const signedIn = await WPAPI.discover(base).then((found) => found.auth({ username, password }));
    const media = () => signedIn.namespace('cms/v2').media();
    const uploaded = await media().file(picture, 'by-a-client.png').create({ title: 'A picture', alt_text: 'One dot' });
    assert.equal(uploaded.title.raw, 'A picture');
    assert.equal(uploaded.media_details.width, 1);
    const file = await fetch(uploaded.source_url);
    assert.deepEqual(Buffer.from(await file.arrayBuffer()).subarray(1, 4).toString(), 'PNG');
    assert.equal((await media().id(uploaded.id).delete({ force: true })).deleted, true);
  });
}

async function fetching() {
  const authorization = 'Basic ' + Buffer.from(`${username}:${password}`).toString('base64');
  apiFetch.use(apiFetch.createRootURLMiddleware(`${base}/index.php?rest_route=/`));
  apiFetch.use((options, next) => next({ ...options, headers: { ...options.headers, Authorization: authorization } }));

  await check('api-fetch reads a list and its totals', async () => {
    const posts = await apiFetch({ path: '/cms/v2/posts?per_page=3&_fields=id,title' });
    assert.equal(posts.length, 3);
    const response = await apiFetch({ path: '/cms/v2/posts?per_page=1', parse: false });
    assert.ok(Number(response.headers.get('X-WP-Total')) >= 12);
  });

  await check('api-fetch follows the pages of a whole list', async () => {
    // Answered 100 to a page; the relation "next" leads on where there are more.
    const all = await apiFetch({ path: '/cms/v2/posts?per_page=-1&_fields=id' });
    assert.ok(all.length >= 12);
  });

  await check('api-fetch creates, changes by PUT in disguise, and deletes', async () => {
    const created = await apiFetch({ path: '/cms/v2/pages', method: 'POST', data: { title: 'By fetch', status: 'draft' } });
    const changed = await apiFetch({ path: `/cms/v2/pages/${created.id}`, method: 'PUT', data: { menu_order: 7 } });
    assert.equal(changed.menu_order, 7);
    assert.equal(changed.title.raw, 'By fetch');
    const deleted = await apiFetch({ path: `/cms/v2/pages/${created.id}?force=true`, method: 'DELETE' });
    assert.equal(deleted.deleted, true);
  });

  await check('api-fetch runs a batch', async () => {
    const requests = [
      { method: 'POST', path: '/cms/v2/posts', body: { title: 'First of two' } },
      { method: 'POST', path: '/cms/v2/posts', body: { title: 'Second of two' } },
    ];
    const answer = await apiFetch({ path: '/batch/v1', method: 'POST', data: { validation: 'require-all-validate', requests } });
    assert.deepEqual(answer.responses.map((response) => response.status), [201, 201]);
    for (const { body } of answer.responses) {
      await apiFetch({ path: `/cms/v2/posts/${body.id}?force=true`, method: 'DELETE' });
    }
  });

  await check('api-fetch uploads a form', async () => {
    const body = new FormData();
    body.append('file', new Blob([picture], { type: 'image/png' }), 'by-fetch.png');
    body.append('caption', 'One dot');
    const uploaded = await apiFetch({ path: '/cms/v2/media', method: 'POST', body });
    assert.equal(uploaded.caption.raw, 'One dot');
    await apiFetch({ path: `/cms/v2/media/${uploaded.id}?force=true`, method: 'DELETE' });
  });

  await check('api-fetch reports errors with their code and data', async () => {
    await assert.rejects(
      apiFetch({ path: '/cms/v2/posts?per_page=101' }),
      (error) => error.code === 'rest_invalid_param' && error.data.status === 400 && 'per_page' in error.data.params,
    );
  });
}

discovery().then(fetching);
