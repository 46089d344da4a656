"""What no French name and no French rejoin phrase may contain, without accents and in ROT13."""

from __future__ import annotations

import re

from tests.classrooms.block_list import BlockList, _read

FRENCH = BlockList(
    anywhere=_read("""
nobhyr noehg nypbby nzcurg nany nahf neand nffnff nggneq nhgvfg nirhty onvfr onvm onzobhy
onanavn oneone onewb onfgba ongneq ornhs orthr orhu ovngpu ovtyrh ovtbg ovgpu ovgr ovmhg
obvgrh obzor obanffr obavpur obaavpur obbof obeqry obhqva obhssba obhtabh obhavbhy oenay
ohear pnpn pnqnie pntby pntbg pnanov pnaano pncbgr pnffbf pngub punggr punhi puvnag puvnff
puvoe puvpun puvraar puvre puvrh puvargbd puvax puvbggr puvher puyrhu puabdhr pyvgb pybpuneq
pybqb pbpnva pbpuba pbph pbvg pbynob pba pbceby pbhvyy penpx penqv penqb penffr pergva perir
pebgg phy phag plceva qnrpu qrovy qrthrh qrzrhe qvpx qvyqb qvatb qvathr qwvunq qebtn qebth
qlxr roby rpreiry rtbet rwnphy rzzreq rasbve ragho rerpgv rebgvd rebgvf rfpyni rgeba rkperz
snpuvf snpub snvta sqc srpny srvta sryyng sragr srff srhw svragr svba syrzz syvp sbve sbyyr
sbhsbha sbhge sbhgh sencc sgt shpx shx shfvy tnepr tnl treor tvsy tvgna tynver tynaqh tavneq
tbqrzv tbtby tbamrf tbhqbh tbhtr tbhva tenvff tenff tebtanff tebffv thraba three thrhy
unaqvp unfpuv ungre urebva uvgyre ubzb ubagrh ulfgrev vqvbg vtane vzorp vzchvff vaprfg
vasrev vasvez vfynz viebta wvunq wboneq wbhve whvs xnzvxnm xroyn xvxr xenpx ynvqrh yneova
yrpurh yrcerh yrfo yhoevd ylapu znpnd znpub zntero znvte znfbpu znfgheo znhqvg zrpuna zrafge
zreq zrhege ztgbj zvanoyr zbpur zbatby zbecv zbeg zbei zbhpuneq zhfyvz zhfhyz anmv anmvm
arter arteb arharh arieb avnv avnx avoneq avpuba avt avdh ahqvfg alzcu borfr bofpr bcvhz
betnf cnybg cngncbhs cnhie cpuvg crqr crqb craqh cravf creire crgnff crgbpu cunyy cvtrbaa
cvzo cvaneq cvcv cvff cvfgby cybhp cbpuge cbviebg cbynpx cbep cbea cbhss cbhsv cbhsvn cbhvyy
cebfg cebhg cflpub cga chna chgn chgr chgre chgva dhraryy dhrdhrg enpnvy enpvf enpyhe enqva
encr enfpy enfcbh erorh evatneq ebznab ebfovs ebgrh fnqv fnqbz fnynh fnybc fneenf fpuvmb
fpuynt fpuyrh fpuabp frk fuvg fbqb fbqbz fcrez fghcvq fhpr fhpvq fhvpvq gnonff gnsvby
gnagbhm gncrgg gneybhm greebe grgnff grgvar grho gbpneq gbeghe gbho gbkv genafrk geniry
geniryb gevfb gebyy gebh gehpvq ghrh gheyhg hevar intva intvany inaqny ivoeb ivpvrh ivby
ibqxn ibzv ihyi jrfu juvfx juber lbhq lbhc lbhge mobho mrmrg mthrt mvtbha mvmv mbo mbzov
mbhm
"""),
    alone=_read("""
noevpbg nar narffr nenor nezr nff nfgvpbg nhoretvar nhgehpur onon onobhva onssr ontneer
ontabyr onynser onyrvar onyybg onanar one oneor oneovr oneoh onetr onewr onf onggr ornh
ornhs oror orpnffr oryrggr orytr oryyr orgn orhe orherggr ovpur ovpbg ovqba ovtbg ovdhr
ovfba oynvernh oynap oyrq oybaq oybaqr obpur obrhs obvgr obzor obaar obetar obffr obffh obg
obhp obhpur obhpyr obhqva obhrr obhyr obhyrf obhyrg obhetr obhevdhr obheer obheeva obhfr obl
oenf oevqr oehar oehgr ohfr pnpunybg pnsneq pnser pnzc pnarggr pnaba pnear pnecr pnf pnir
punpny punzrnh punebtar pung punhq punhqr punhir purs purier puvpur puvra puvzc puvargbdhr
puvabvf pubp pvoyr pvtner pvatyr pybpur pybcbegr pbpb pbpbggr pbrhe pbxr pbyva pbyba pbd
pbeavpuba pbecf pbh pbhpur pbhetr perngher pergva perirggr pebpur peh pehpur pehr pehry
phvffr phvgr qneq qnhor qrp qrpur qrt qrc qvnoyr qvrfry qvaqr qvaqba qbqh qbvtg qbcr qbg
qebvgr qhpr raarzv rfpnetbg rfpebp rhahdhr snpr snqr snvoyr snatr snepr snfpvfgr snhk
srzryyr sre srgr svthr svyyr svbggr syna synghyr syvp sby sbyyr sbh sbhvar sbheor serer
sevtvqr sebvq sebhffneq sehvg shzvre tnzva tnepr tnm trrx travr tynaq tabzr tabh tbevyyr
tbffr tbheq tbheqr tenf terqva teranqr terabhvyyr tevf tebf tebffr tebggr tehr thrhk thvtaby
unvar unerz unerat uvccb ubzneq ubagr ulrar vapry vier wnzoba wnc wnhar wbvag wbwb whvir
wheba xncb xrxr xvs xvyy xyna ynvq ynvqr ynvg ynzn ynathr yncva yneq yneir ynfpne yrag yragr
yrfobf yvznpr ybyb ybat ybcr ybhpur ybhc ybheq ybheqr znpub znvter znynqr znyr znyva znapur
znapubg zndhrernh znev znegrnh zrqhfr zryba zrer zvanoyr zvarg zvarggr zvabh zvgr zbyyhfdhr
zbh zbhpur zbhsyr zbhyr zbhgba zhrg zhyrg zlbcr anobg anva anvar anan anfr anmr arteb abrhq
abve abver abab abhvyyr abhabhef ah ahr ahvg ahy ahyyr ahahpur brhs bvr bzoer beny betnar
bedhr bhef bhefr bhger cns cny cnevn cngngr cngr cnlfna cq crnh crpur cryyr cryhpur crcr
crepur crer creebdhrg crg crgr crhe cvr cvrh cvtrba cvzrag cvar cvagnqr cvcr cvdhr cyng
cyngr cybhs cyhzr cbpuneq cbvy cbver cbvfba cbyvb cbzzr cbepryrg cbeab cbg cbh cbhoryyr
cbhyr cbhyrg cbhcrr cbhcba cbheev cbhffva cbhk cd cehar chprnh chpryyr chre chanvfr chax chf
chgr dhrhr dhvpur envqr eng engr engba erohg erabv erdhva evgny ebv ebaqr ebg ebhffr ebhk
fnp fnqvdhr fnqb fnyr fnat fnatfhr fngna fnhpvffr fnhg fnhintr fnhintrba frpgr frva frvaf
freva fuvg fvqn fvatr fverar favssre fbrhe fbg fbggr fbhy fbheq gnpur gnagr gncva gner gnerr
gnegr gnf gngn gnhcr gnhernh grgneq grgr gt guba guhar gvdhr gbp gbzor gbagba gbeqh gbeqhr
gbhssr genaf gevpur gevfgr gehvr gfvtnar ghrr ghre irnh ire iretr iref irffvr ivqr ivrvyyr
ivrhk ivy ivynva ivcrer ibvyr iby ibyrhe iblbh lrgv mroer mreb mbaneq
"""),
    together=frozenset(
        tuple(pair.split("-"))
        for pair in _read("""
yncva-punhq ynzcr-nyyhzrr znezvgr-cyrvar pnzc-pbapragengvba punzoer-tnm onva-qbhpur
obhpur-cbzcr srhvyyr-ebfr srhvyyr-zbegr syrhe-snarr sbagnvar-wbhirapr sbhe-perzngvba
sehvg-qrsraqh shfrr-ivir threer-fnvagr wrhar-svyyr wrhar-ivretr yhar-cyrvar znvaf-onynqrhfrf
zbhyva-ebhtr byvir-abver cnva-abve cbvffba-ebhtr crevy-wnhar cyna-fvzcyr cbvy-pnebggr
cbzcr-sharoer cbzcrf-sharoerf cbhqer-oynapur cbhqer-rfpnzcrggr cbhcrr-tbasynoyr cyrvar-yhar
cevfr-ryrpgevdhr dhrhr-cbvffba erir-uhzvqr ebhyrggr-ehffr fnp-cngngrf fnp-fnoyr
fbyhgvba-svanyr fbegvr-cynpneq gncvf-cevrer gnegr-pvgeba genva-ahvg genva-zbeg ghor-pbyyr
onyyba-fbaqr obhyr-tbzzr obaarg-nar pnzc-geninvy punffr-ubzzr punhq-yncva pbeqr-envqr
pbeqr-craqnvfba pebvk-tnzzrr rgbvyr-wnhar ureor-sbyyr ureor-zntvdhr punzcvtaba-zntvdhr
ubgry-cnffr znvfba-pybfr znvfba-cnffr znepunaq-gncvf znepur-abve bzoer-puvabvfr
punvfr-ryrpgevdhr pnfdhr-oyrh pbhefr-sbyyr pevfr-sbyvr qnafr-cbgrnh qnzr-ahvg svyyr-wbvr
""")
    ),
    swapped_starts=_read("""
onvfr ongneq ovgr obhssba oenay ohear pnpn pngva pungg puvnaa puvnffr puvre puvbgg pbpuba
pbaa pbhvyy penchy pergv pebgg qrovy rasbv srff svba sbhg tnepr tbhva thrhy vqvbg ynvqr zreq
zbat arte avpu avdh avdhr ahy crqr cravf crgnff crgr cvar cvcv cvff cbep cbhs chg dhrhr fnyb
frva frk fhp gncrgg grho intva ivby mvmv mbo
"""),
    swapped_words=_read("""
onf ovgr zbhyr fnyr obhqva ohf pnpn phy pba sbh tebf ynvq yneq zbh anva ahy ahr crg cbg cbh
eng ebg fnyr fbg gner gnf guba gebh
"""),
    initials=frozenset("ah bj fn hh hj kk kz ns pd pq rn sa sm ss tg wc".split()),
    first_sound=re.compile(r"qu|ch|ph|y|[^aeiouy]+"),
)
"""As ``block_list.py`` has it for English."""
