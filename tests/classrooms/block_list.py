"""What no name and no rejoin phrase may contain: a block list, and the checks that read it.

The words stand in ROT13, so that who scrolls by need not read them:
``codecs.decode(text, "rot13")``. Better safe than fair: harmless words are listed too if a
child can be teased with them. Say no to a word rather than to a pair of words.
"""

from __future__ import annotations

import codecs
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product


def _read(text: str) -> frozenset[str]:
    """The words of a text in ROT13."""
    return frozenset(codecs.decode(text, "rot13").split())


ANYWHERE = _read("""
nany nahf nefpu nefr nelna nff onvfr onyyf ones ornare orre ourapu oubfq ovqqre ovzob ovgpu
obyybpx obzo obare obbo obbat obbmr obeqry obhtabhy oenay oernfg ohprgn ohttre ohxxnxr
ohyyrg ohaqn ohggubyr pnoen pnoeba pntn pnenyub pnmmb punggr puni puvraar puvre puvat puvax
pubq pubyb pubbg puhg pyvg pyhatr pbpnva pbpx pbvghf pbwba pbaqbz pbaaneq pbaanf pbaar
pbbyvr pbba pbchyng pbecfr pbhvyyr penpx penc penml perrc pergva pevc pebgpu phyb phz phaavy
phag qnttre qntb qnza qnexvr qnexl qrnq qrngu qrovyr qvnee qvpx qvr qvxr qvyqb qvzjvg qbat
qbhpur qerpx qehax qhzo qhzz qlxr rssvat rwnp raphy rarzn rasbve rerpg rebgvp rkper snrpr
snt snaal sneg sngfb snggl srprf srpx sryyng srgvfu svpx sbqn sbyyne sbbx sberfxva sbgm
sbhger sernx shp shx shk tnaq tnl travgny trabpvqr tvzc tvatre tvccb tbqqnz tbyyl tbbx tbba
tbhva tbl tevatb tha tlcfl unznf unat unenzv unenzm urvy uragnv urebva uvwen uvgyre ubzb
ubaxl ubbxre ubeal uhzc uher vqvbg vzorpvy vapry vaprfg vawha wnpxbss wnc wrexbss wunag
wvttnob wvmm wbqre whqrafnh xnpx xnssve xnzva xnanx xvxr xvyy xvaxl xxx xyna xabo xbgm xenhg
xhgvln xhggn xhggv ynovn ynhqn yrfo yrmm ybqn ybfre yhangvp yhaq yhfg znqnepu znevpba
znfgheo zrafrf zreqn zreqr zrgu zvpx zvreqn zvys zvatr zbsb zbwba zbyrfg zbat zbeba zbgures
zhyngb zhynggb zheqre zhfpuv anmv arter arteb areq avpuba avt avccyr avdh abapr abajuvgr
ahqr ahqvgl ahggr alzcub bcvhz betnfz betl bfnzn cnrqb cnxv cnabpun cnafl crpxre crqr crqb
craqrw cravf crei cunyyvp cunyyhf cuyrtz cuhp cuhx cvpun cvpxnava cvxrl cvzzry cvapur cvff
cvfgby cvgb cbynpx cbyyn cbb cbea cbeen cbhs cevpx cflpub chor chovp chxr chanav chff chgn
chgr chgva chgb dhrre dhvz enturnq enaqv encr encvat encvfg erpghz errsre evsyr evzwbo fnnyn
fnynhq fnybc fnzob fpng fpurvf fpuynzc fpuybat fpujnam fpujhpu fpujhy fpebghz frzra frk funt
fung furznyr fuvg fulybpx fulgr fynt fynccre fynir fyhg fzhg fabg fbqbz fcnfg fcnm fcrez
fcvp fchax fdhnj fgbarq fgevc fgebam fghcvq fhpx fhvpvq gncrggr gneonol gneq gnggv greebe
grfgvp guvpx gubat gvg gbvyrg gbegher gbffre gbjryurnq genaavr genaal gebvn gebggry gebh
gheq gjng gjvax htyl hevar intvan iretn ivetva ibqxn ibzvg ihyin jnpxb jnax jrncba jrrq
jrgonpx juvfx juber jvpuf jvyyl jvzc jbt jbzo jbc lvq lbhcva mvccreurnq mvmv mbeen
""")
"""In no word, nor across the space between two: English, French, Spanish, German, Hindi and a
little more."""

ALONE = _read("""
nob npvq nssr nypbuby nypbubyvp nyr nyynu natry ncr ncrf neno neebj nfvna nhohea nhffvr
onobba onol onq onyq onyy onanan onat oner onezl onfvp ong orneq ornire oryyl oraq orag orgn
ovpur ovpub ovq ovt ovfubc ovgr ovggre oynpx oyvaq oybngrq oybaq oybaqr oybbq oybj obpur obt
obar obarf obat obbgl obfbz obffl obg obgf obggbz obhssba obheoba obk obl oen oenva oenval
oenaql oevqr oebj oebja ohq ohyxl ohyy ohz ohat ohaal ohec oheeb ohfu ohfg ohgg pnpn pnzry
pnar pnaanovf pnaaba pnc pnccre pnenzry pneq pneqvany png preqb pregnva punzrnh punzcntar
punapr purng purrx purrxl pureel purfg puvpx puvpxra puva puvanzna pubpbyngr puevfg puhool
puhepu pvqre pvtne pynz pynccrq pbpuba pbpbahg pbq pbxr pbyq pbzzvr pbzzhavfg pba pbar pbaf
pbbxrq pbccre pbex pbggba pbhtne pbj pbjneq pblbgr peno pebggr pebj pehry pelfgny phor
phpxbb phy phyg phe pheil phgr qnsg qnex qrns qrnyre qrzba qrafr qrivy qvz qvat qvatb qvccl
qvear qvegl qvmml qbt qbaxrl qbcr qbcrl qbfr qbggl qbml qenj qevc qhpx qhyy qhzc rne robal
rpfgnfl ryrcunag rfry rivy rjr rlr snpr snve snvel snxr snfpvfg sng srroyr srb srbf srffr
svygul sver svg synool synatr syrfu syhss sbby sbbg sbhy sehvg she sheel tnf tnfu trrx
traqre turexva tubfg tvnag tvooba tvsg tvsgrq tva tvey tynaq tbng tbq tbyqra tbbfr tbeqb
tbevyyn tenir tenl terrql terl tevz tebf tebff tebffr tlng tlngg tlc unve unvel unyny unaq
unaqfbzr unaql uneq uner unfu urnil uryy urzc ura uvtu uvc uvccb uvcf ub ubob ubr ubt ubyr
ubea ubg ubhaq uhtr ulran vpr vqyr vaqvna vfynz vibel wnpxny wrnybhf wrfhf wrj wvttyl wbvag
whqr whttf whtf whax whaxvr xnera xvat xvff xvggra xavsr xhu ynq ynql yntre ynvq ynvqr ynzo
ynzr ynaxl ynetr ynl ynml yrnq yrnqre yrrpu yrsg yrt yrzba yvne yvoreny yvpx yvzrl yvcf yvg
yvggyr yvmneq ybnq ybpb ybt ybb ybbfr ybeq ybhq ybiryl ybire yhpxl znq znyr zna znavp znel
zrna zrng zryybj zryba zrybaf zragny zrephel zreel zrffl zvav zvffvyr zvfg zbna zbpur zbyr
zbaxrl zbab zbbql zbbfr zbfdhr zbhyr zbhfr zhss zhyr zhzzl zhfyvz anqf anva anvir anxrq
anapl anccl anfgl anhtugl arpx arrqyr arrql abo abfr abfl acp ahy ahg ahgf ahggl bqq bqqf
byq byvir betna bk cnpxntr cnpxre cnq cnqql cntna cnyr cnyz cnag cnagf cnagl cncvfg cnenfvgr
crnpu crnahg crnfnag crr crrf crttvat cryyr creeb crg cvr cvt cvtyrg cvyy cvzcyr cvcr cvcv
cynva cybaxre cybc cyhzc cyhzf cbyr cbz cbzzvr cbal cbcr cbccl cbepb cbeg cbg cbgngb cbjqre
cerggl cevqr cevz cevapr cevaprff cebhg cehqr cho chof chzc chal chc chccl chf dhrra dhrhr
dhvexl enoov enoovg enpr enpvfg enz enzzre enaqbz eng engba enira erne erq euvab evpu evmm
ebq ebzc ebbfgre ebbg ebfovs ebggra ebhtu ebhaq eblny eho ehqr ehz ehzc elr fnp fnpx fnq
fnvag fnyr fnygl fngna fnh fnintr fpno fpvffbe fpber fpenjal fperj frva frzv frafvgvir funql
funsg funex funir furrc fubbg fubeg fubg fubjre fuerj ful fvpx fvtzn fvyyl fvyire fvzc
fvzcyr fvzcf fvatr fvffl fxva fxvaal fxhyy fxhax fyrrcl fyvz fyvzl fybgu fybj fyht fyl fznyy
fzryyl fzbxr fanpx fanvy fanxr fangpu fabo fabt fabj fabjsynxr fahss fbsg fbhe fbj fcnax
fcrne fcrpvny fcrrq fcvqre fcvg fcbvyrq fcbggl fdhner fdhveg fgne fgvss fgvax fgbare fgbby
fgbhg fgenatr fgebxr fghq fghss fhvg fhf fjrng fjvar fjbeq fjbg gnpb gnvt gnvy gnyy gnzcba
gna gnax gnagr gneg gnegr grgn guvpp guvrs guvtu guva guvefgl guba gubg guehfg gvpx gvaxyr
gval gvcfl gbnq gbonppb gbq gbr gbxr gbzo gbagn gbagb gbby gbbgu gbel gbhpul genzc genaf
genful gevony gevor gevpx gevc gebyy gehzc ghool ght ghzzl ghagr ghexrl gheavc gjvg havba
inpn inpur inva incr irtrgnoyr ivcre ivkra ibz ihygher jnyehf jnat jneg jnfc jrnx jrnfry jrr
jrvare jrveq jrg junyr juvgr jvpxrq jvqqyr jvqr jvrare jvyq jvar jvaare jvgpu jbxr jbys
jbzna jbaxl jbbq jbez jevaxyl jebat lnax lryybj lbhat mrfgl mvrtr mbzovr mbeeb
""")
"""Not as a word, nor as two words run together; inside a longer word they are harmless."""

TOGETHER = frozenset(
    tuple(pair.split("-"))
    for pair in _read("""
onzobb-phegnva onfxrg-pnfr onfxrg-jrnire orna-syvpxre oyhr-jnssyr obng-crbcyr oernq-yvar
ohooyr-ongu pnova-srire pnzc-thneq pnaql-ina pnecrg-ohea pnecrg-zhapure pvivy-haerfg
pvivy-jne pbapragengvba-pnzc pheel-zhapure qrfreg-fgbez qernz-jrnire qhgpu-bira
ryrpgevp-punve srire-qernz svany-fbyhgvba syng-rnegu syng-cnpx shaal-snez tneqra-gbby
tyhr-favssre unccl-pynccre unccl-raqvat unccl-ubhe unccl-cvyy ubarl-genc uhatre-fgevxr
veba-pebff veba-phegnva veba-znvqra wbyyl-ebtre whatyr-srire whatyr-zhfvp ynobhe-pnzc
yrzba-cnegl yragvy-jrnire yvzc-jevfg ybpny-lbxry ybir-zhfpyr ybir-chqqyr ybir-ebpxrg
ybir-ghaary zntvp-zhfuebbz zbafgre-znfu zbeavat-tybel zbhagnva-blfgre zhssva-gbc
zhfuebbz-pybhq bcra-zneevntr bcra-jbhaq benatr-ybqtr benatr-znepu benatr-beqre cnegl-navzny
cngvrag-mreb crney-arpxynpr crrc-fubj cresrpg-fgenatre cvpavp-onfxrg cyhz-chqqvat
cbpxrg-ebpxrg cbiregl-yvar cenvevr-blfgre cevfba-pnzc cebhq-oblf chqqvat-objy dhvrg-evbg
evpr-ebpxrg ebyyvat-cncre ebzna-pnaqyr ehoore-tybir eht-ohea eht-zhapure ehfgl-gebzobar
fnynq-qbqtre fnhfntr-cnegl frn-zra furyy-fubpx fvyx-ebnq fbyne-cyrkhf fcner-gver fcner-gler
fgvyy-obea fgbez-sebag fgbez-gebbcre fgevat-orna fhtne-qnqql fhtne-cyhz grn-ont
guhaqre-guvtuf gvpxrg-fpnycre gbja-ovxr genvyre-cnex gernfher-genvy gebcvpny-qvfrnfr
inavyyn-shqtr ivyyntr-ovxr ivyyntr-crbcyr jngre-obneqvat jngre-fcbegf jrfgrea-sebag
jvyq-bngf jvaq-ont jvaq-oernxre jvaqbj-yvpxre lbtheg-jrnire
""")
)
"""Harmless words that are not so together."""

SWAPPED_STARTS = _read("""
nahf nefr onfgneq ornare ovgpu obyybpx obare obbo ohttre pyvg pbpx penc pevccyr phag qnza
qvpx qvyqb qerpx qhzo qlxr sneg snggl srpx svpx sbbx shp shx tbyyl tbbx ubzb ubbxre ubeal
uhzc wvmm xvxr xvyy xvaxl xabo yhfg zreq zvys zvatr zbat zhss anxrq anmv arteb areq avccyr
abapr cnxv cnagl cravf crei cvff cbbc cbea cevpx chor chxr chffl chgn chgr dhrre enaql encr
ergneq fperj funt fung fuvg fynt fyhg fzhg fabt fabg fcnfg fcnm fcrez fcvp fchax fdhnj fgevc
fhpx gneq gubat gvggl gheq gjng gjvax jnax jrrq juber jvzc
""")
SWAPPED_WORDS = _read("""
nff ohz ohat ohfg ohgg pbba pevc phz snt sng sbby tnl uryy ynq yvpx znq avt crr cynva cbb
chf frk gneg gvg genzc jbt lvq
""")
"""How no word may begin, or what it may not be, once the first sounds of the two have changed
places: whoever wants to mock tries that first."""

INITIALS = frozenset("ah bj bo bs fu hh hj kz mf ns sa ss".split())
"""Two words may not begin so: those that German number plates leave out, and English ones."""

_FIRST_SOUND = re.compile(r"qu|y|[^aeiouy]*")


@dataclass(frozen=True)
class BlockList:
    """The words of one language, and the checks that read them."""

    anywhere: frozenset[str]
    alone: frozenset[str]
    together: frozenset[tuple[str, ...]]
    swapped_starts: frozenset[str]
    swapped_words: frozenset[str]
    initials: frozenset[str]
    first_sound: re.Pattern[str] = _FIRST_SOUND

    def bad_words(self, words: Iterable[str]) -> set[str]:
        """The words that are bad by themselves."""
        return {w for w in words if w in self.alone or any(text in w for text in self.anywhere)}

    def bad_pairs(self, firsts: Iterable[str], seconds: Iterable[str]) -> set[tuple[str, str]]:
        """The pairs of a first and a second word that are bad together: something runs across
        the space, or they are known for it. Each listed text is cut in two wherever it can be,
        so that a million pairs take no longer than the words."""
        firsts, seconds = set(firsts), set(seconds)
        ends, starts = defaultdict(set), defaultdict(set)
        for word in firsts:
            for i in range(len(word)):
                ends[word[i:]].add(word)
        for word in seconds:
            for i in range(1, len(word) + 1):
                starts[word[:i]].add(word)
        found = set()
        for text in self.anywhere:
            for i in range(1, len(text)):
                if text[:i] in ends and text[i:] in starts:
                    found |= set(product(ends[text[:i]], starts[text[i:]]))
        whole = {(text[:i], text[i:]) for text in self.alone for i in range(1, len(text))}
        found |= {(a, b) for a, b in whole | self.together if a in firsts and b in seconds}
        return found

    def bad_initials(self, firsts: Iterable[str], seconds: Iterable[str]) -> set[str]:
        """The bad initials that two words can have."""
        begin, go_on = ({word[0] for word in words} for words in (firsts, seconds))
        return {a + b for a in begin for b in go_on} & self.initials

    def bad_swaps(self, firsts: Iterable[str], seconds: Iterable[str]) -> set[tuple[str, str]]:
        """What comes of first sounds that change places and is bad: the sound, the word it
        met."""
        bad = set()
        for words, others in ((firsts, seconds), (seconds, firsts)):
            match = self.first_sound.match
            sounds = {found[0] for other in others if (found := match(other))}
            for word in words:
                if (own := match(word)) is None:
                    continue
                for sound in sounds - {own[0]}:
                    new = sound + word[own.end() :]
                    if new in self.swapped_words or new.startswith(tuple(self.swapped_starts)):
                        bad.add((sound, word))
        return bad


ENGLISH = BlockList(ANYWHERE, ALONE, TOGETHER, SWAPPED_STARTS, SWAPPED_WORDS, INITIALS)
bad_words, bad_pairs = ENGLISH.bad_words, ENGLISH.bad_pairs
bad_initials, bad_swaps = ENGLISH.bad_initials, ENGLISH.bad_swaps
