/** The look of the checkout pages; one colour scheme, or the reader's own. */
export const checkoutStyle = `
:root{color-scheme:light dark;--ground:#fff;--text:#16181d;--soft:#5b6270;--line:#d6dae1;
  --act:#1746a2;--on-act:#fff;--wrong:#b3261e;--good:var(--text);--hint:var(--soft);
  --field:var(--ground);--field-line:var(--line);--act-over:var(--act);--other:transparent;
  --other-over:var(--other);--on-other:var(--text);--focus:var(--act);--radius:.5rem}
@media (prefers-color-scheme:dark){:root:not([data-theme=light]){--ground:#14161a;--text:#eceef2;
  --soft:#a8afbd;--line:#3a404b;--act:#8ab4ff;--on-act:#0b1730;--wrong:#ffb4ab}}
:root[data-theme=light]{color-scheme:light}
:root[data-theme=dark]{color-scheme:dark;--ground:#14161a;--text:#eceef2;--soft:#a8afbd;
  --line:#3a404b;--act:#8ab4ff;--on-act:#0b1730;--wrong:#ffb4ab}
*{box-sizing:border-box}
html{font-size:var(--size,100%)}
body{margin:0;background:var(--ground);color:var(--text);
  font:var(--weight,400) 1rem/1.5 var(--font,system-ui,sans-serif)}
main{max-width:30rem;margin:0 auto;padding:1.5rem 1rem 4rem}
h1{font-size:1.375rem;margin:0 0 1rem}
h1.good{color:var(--good)}
h2,legend{font-size:1rem;font-weight:600;padding:0}
h1,h2,legend{font-family:var(--heading-font,inherit)}
table{width:100%;border-collapse:collapse;margin:0 0 1.5rem}
td,th{padding:.5rem 0;border-bottom:1px solid var(--line);text-align:start;font-weight:400}
td:last-child{text-align:end;white-space:nowrap}
tfoot th,tfoot td{font-weight:600;border:0}
tfoot tr.part th,tfoot tr.part td{font-weight:400}
fieldset{border:0;margin:0 0 1.5rem;padding:0}
label{display:block;margin:.75rem 0 0}
label>span{display:block;color:var(--soft);font-size:.875rem}
input,select{width:100%;min-height:2.75rem;padding:.5rem .75rem;border:1px solid var(--field-line);
  border-radius:var(--radius);background:var(--field);color:var(--text);font:inherit}
input::placeholder{color:var(--hint);opacity:1}
input[type=checkbox],input[type=radio]{width:1.25rem;min-height:1.25rem}
label.choice{display:flex;gap:.75rem;align-items:center;min-height:2.75rem;margin:0}
label.choice>span{color:var(--text);font-size:1rem}
input:focus-visible,select:focus-visible,button:focus-visible,a:focus-visible{
  outline:3px solid var(--focus);outline-offset:2px}
[aria-invalid=true]{border-color:var(--wrong)}
.wrong{color:var(--wrong)}
.note{color:var(--soft);font-size:.875rem}
button{width:100%;min-height:3rem;margin:.5rem 0 0;border:0;border-radius:var(--radius);
  background:var(--act);color:var(--on-act);font:inherit;font-weight:600;cursor:pointer}
button:hover{background:var(--act-over)}
button.other{background:var(--other);color:var(--on-other);border:1px solid var(--field-line)}
button.other:hover{background:var(--other-over)}
`
