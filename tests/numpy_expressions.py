"""Expressions of ``np`` and ``npx``, and what real MXNet 1.9.1 gives for them.

    python numpy_expressions.py RECORD.json

writes down what happens under real MXNet 1.9.1 (in an interpreter that has it);
``test_numpy_expressions.py`` compares that with this package. Every expression sees fresh names:
arrays ``x`` (2 x 3), ``i`` (int32), ``m`` (boolean), ``legacy``, or symbols ``a``, ``b``, ``c``, ``z`` (legacy).
"""

from __future__ import annotations

import json
import math
import re
import sys
import warnings

import numpy

ARRAYS = r"""
np.array([1,2,3]); str(np.array([1,2,3])); np.array(5); np.ones((2,2), dtype='float64')
np.ones((2,), dtype='bool'); np.ones((2,), dtype='float16'); np.zeros((0,)); np.zeros((2,0))
'{:.2f}'.format(np.array(1.5)); '%.2f' % np.array(1.5); '{:.1f}'.format(x); '{}'.format(x); '%d' % np.array(3)
type(x); np.array([True]).dtype; np.array(onp.array([1,2])).dtype; np.array(onp.array([1.,2.])).dtype
np.array([onp.float64(2)]).dtype; np.array(onp.float64(2)).dtype; np.array(i).dtype; np.array([i,i]).shape
np.array([x[0],x[1]]); np.array(None); np.array(1.5,dtype=int); np.array(i,ctx=mx.cpu(1)).ctx; np.array(legacy)
np.array([1,2],dtype='int16'); np.array((1,2)); np.array(range(3)); np.array([]); np.array([[]]); x + i
i + np.array([1],dtype='int64'); i / 2; i / i; 2 / i; i + 1.5; 1.5 + i; i * 2.5; 7.9 - i; i - 1.5; i % 2; i ** 2
i ** -1; i // 2; i << 1; divmod(i, 2); i & 1; i | 2; i ^ i; ~i; ~m; m + 1; m * 2.5; m + m; -i; i == 1.5; i > 1.5
i < 2.5; i == None; i != 'a'; i is None; i in [i]; 2 in i; x @ x.T; 2 @ x; i + None; i + 'a'; i + [1,2,3]
x + legacy; i + onp.float32(1.5); onp.float32(1.5) + i; onp.float64(2) * x; i + onp.array([1,2,3])
onp.array([1,2,3]) + i; np.add(i,1.5); np.add(1,2); np.exp(True + 1); np.sqrt(4); np.abs(-3); np.negative(2)
np.invert(5); np.logical_not(0); np.isnan(2.0); np.around(2.567,2); np.fix(2.7); np.isposinf(1.0); np.sign(-2)
np.maximum(1,2); np.bitwise_and(6,3); np.copysign(1,-2); np.greater(2,1); np.exp(onp.ones(2))
np.add(x,onp.ones(3)); np.add(x,legacy); np.exp(None); np.exp([1,2]); np.exp(legacy); np.sum([1,2])
np.sum(legacy); np.dot(x,legacy); np.concatenate([x,legacy]); np.concatenate([onp.ones(2)]); np.concatenate(x)
np.sin(x,foo=1); np.exp(x,dtype='float64'); np.exp(x,where=False)
np.exp(x,casting='same_kind',order='K',dtype=None,subok=True).shape; np.exp(2.0); np.power(i,2.5)
np.maximum(i,2.5); np.hypot(i,2.0); np.arctan2(i,1.5); np.lcm(i,4); np.ldexp(x,2); np.bitwise_or(m,m)
np.bitwise_xor(i,True); np.copysign(x,-1); np.clip(x,1,4); np.clip(x,None,4); np.clip(x,1,None)
np.clip(x,None,None); np.round(np.array([2.5])); np.nan_to_num(np.array([np.nan,np.inf])); np.nan_to_num(1.0)
np.nan_to_num(x,copy=False) is x; np.zeros(3); np.zeros((2,),'int32'); np.zeros((2,),float)
np.zeros([2,3]).shape; np.zeros((2,),order='F'); np.zeros((2,),ctx='cpu(0)'); np.full((2,),3)
np.full((2,),1.5,dtype=int); np.full((2,),True).dtype; np.full((2,2),np.array([1,2]))
np.empty(3,dtype='int32').dtype; np.empty((2,),order='F'); np.zeros_like(i); np.zeros_like(i,dtype='float64')
np.ones_like(x); np.full_like(i,2.7); np.empty_like(x,dtype='int32').shape; np.arange(3,dtype='int32')
np.arange(0,1,0.25); np.arange(5,1,-2); np.arange(3,1); np.arange(2.5); np.arange(1,5,0)
np.linspace(0,1,3,retstep=True); np.linspace(0,10,4,endpoint=False); np.linspace(0,1,5,dtype='int32')
np.linspace(0,1,3,axis=1); np.linspace(0,1,-1); np.logspace(0,2,3); np.eye(2,3,k=1); np.eye(2,dtype='int32')
np.eye(-1); np.identity(2); np.identity(2.5); np.indices((2,2)); np.meshgrid(np.arange(2),np.arange(3))
np.meshgrid(np.arange(2),np.arange(3),indexing='ij'); np.tril(np.ones((2,2)),-1); np.pi; np.newaxis; np.bool
np.int32; np.sum(x,axis=0,keepdims=True); np.sum(m); np.sum(x,dtype='int32'); np.sum(x,axis=5)
np.sum(x,axis=(0,0)); np.mean(i); np.mean(i,dtype='float64'); np.mean(m); np.prod(i); np.max(m); np.std(i)
np.cumsum(i); np.cumsum(m); np.argmax(x); np.argmax(x,0); np.average(x,axis=0,weights=np.array([1.,3.]))
np.average(x,returned=True); np.any(x,keepdims=True); np.all(i); np.amax(x,1); np.median; np.max(np.zeros((0,)))
np.sum(np.zeros((0,3)),axis=0); np.argmax(np.zeros((0,))); np.percentile(x,50); np.percentile(x,[25,75])
np.percentile(x,np.array([25.,75.]),axis=1); np.quantile(x,0.5,keepdims=True)
np.percentile(x,50,interpolation='lower'); np.percentile(x,50,overwrite_input=True); np.bincount(i,minlength=6)
np.bincount(i,weights=np.array([.5,.5,1.])); np.histogram(x,bins=3,range=(0,6))
np.histogram(x,np.array([0.,2.,6.])); np.histogram(x,3); np.histogram(x,bins='auto')
np.histogram(x,bins=3,range=(0,6),density=True); np.split(x,2); np.split(x,3); np.split(x,[1],axis=1)
np.split(x,np.array([1])); np.split(x,1.5); np.array_split(x,2,axis=1); np.hsplit(x,3); np.hsplit(i,3)
np.vsplit(x,2); np.dsplit(x,2); np.atleast_2d(i).shape; np.atleast_1d(np.array(1)); np.broadcast_arrays(i,x)
np.expand_dims(i,-1).shape; np.squeeze(np.ones((1,2,1))).shape; np.squeeze(x,0); np.transpose(x,[1,0]).shape
np.moveaxis(np.ones((1,2,3)),0,-1).shape; np.reshape(x,(4,)); np.ravel(x); np.ravel(x,order='F'); np.flip(x,0)
np.roll(x,1); np.roll(x,(1,1),axis=(0,1)); np.rot90(x); np.tile(i,(2,1)); np.repeat(i,2)
np.broadcast_to(i,(2,3)); np.broadcast_to(i,(2,2)); np.append(i,i); np.append(i,[1]); np.resize(i,5)
np.resize(i,(2,2)); np.insert(i,1,9); np.insert(i,1,np.array([5,6])); np.delete(i,1); np.delete(i,[0,1])
np.delete(i,slice(0,2)); np.delete(x,1,axis=1); np.delete(i,np.array([0])); np.unique(x,axis=0)
np.unique(np.array([2,1,2]),return_index=True,return_inverse=True,return_counts=True); np.nonzero(i)
np.where(i>1); np.where(x>1,1,0); np.where(x>1,x,-1); np.where(True,x,x); np.diag(i); np.diag(x); np.diagflat(i)
np.diagonal(x); np.trace(np.ones((2,2))); np.diag_indices_from(np.ones((2,2))); np.pad(x,((1,0),(0,0)))
np.pad(x,1); np.pad(x,((1,1),(1,1)),mode='reflect'); np.pad(x,((1,1),(1,1)),mode='foo')
np.pad(x,((1,1),(1,1)),foo=3); np.pad(x,((1,1),(1,1)),mode='reflect',reflect_type='odd')
np.pad(x,((1,1),(1,1)),mode='wrap'); np.sort(x,axis=None); np.sort(np.array([3,1,2]))
np.argsort(np.array([3,1,2])); np.argsort(x,axis=None); np.sort(x,order='f'); np.polyval(np.array([1.,2.]),x)
np.diff(x,n=2,axis=1); np.ediff1d(i,to_end=5); np.take(x,np.array([0,5])); np.take(x,np.array([0,9]))
np.take(x,np.array([0,9]),mode='clip'); np.take(x,np.array([0,2]),axis=1); np.take(x,[0,1])
np.take(x,np.array([0,2]),mode='foo'); np.unravel_index(i,(2,3)); np.shares_memory(x,x[0])
np.shares_memory(x,np.ones(3)); np.shape(x); np.copy(x) is x; np.tensordot(x,x,((0,1),(0,1)))
np.tensordot(x,x,((0,),(0,1))); np.inner(i,np.ones(3)); np.outer(i,i); np.vdot(x,x); np.einsum('ij->j',x)
np.linalg.norm(x); np.linalg.norm(x,1,(0,1)); np.linalg.norm(x,'fro'); np.linalg.norm(x,axis=1)
np.linalg.norm(x,-1,(0,1)); np.linalg.norm(x,'inf',axis=0); np.linalg.pinv(x,hermitian=True); np.isclose(x,x)
np.allclose(x,x); np.array_equal(x,x); np.isin(i,np.array([1])); np.in1d(i,i); np.cov(x); np.flatnonzero(i)
np.argwhere(x>3); np.count_nonzero(x); np.ptp(x); np.searchsorted(i,np.array([2,3]))
np.digitize(x,np.array([1.,3.])); np.take_along_axis(x,np.argsort(x),1); np.select([x>1],[x]); np.extract(x>1,x)
np.trapz(i); np.vander(i); np.ndim(x); np.interp(np.array([1.5]),np.array([1.,2.]),np.array([3.,4.]))
np.linalg.matrix_rank(x); np.linalg.qr(x)[0].shape; np.linalg.lstsq(x.T,np.ones(3),rcond=None)[0].shape
np.linalg.matrix_power(np.eye(2),2); np.logical_and; np.foo; np.linalg.foo; np.random.foo; npx.foo
npx.random.foo; npx.image.foo; mx.nd.np.array; mx.nd.np.foo; mx.nd.npx.foo; abs(x); x.exp(); x.relu(); x.tile(2)
x.asscalar(); x.tostype('csr'); x.foo; x.nbytes; x.sort(order='f'); x.diag(); x.nonzero(); x.item(1,2)
x.item((0,1)); x.item(99); x.item(); x.tolist(); x.any(axis=0); x.all(); x.max(axis=(0,1)); x.reshape(3,-1)
x.reshape(7,1); x.reshape(); x.reshape((3,2),order='F'); x.reshape(-1,-1); x.reshape(0,-1); x.flatten('F')
x.copy('F'); x.astype('int32',casting='safe'); x.astype('foo'); x.astype(np.int8)
x.astype('float32',copy=False) is x; x.copyto(np.zeros((3,2))); x.transpose(1,0).shape; x.transpose((1,0)).shape
x.transpose(None).shape; x.squeeze(0); x.clip(1,2); x.cumsum(); x.take(i); x.take(1); x.dot(2)
x.as_nd_ndarray(); x.dtype; x.stype; x.grad; x.sum(foo=1); x.sum(1,'float64'); x.mean(dtype='float64')
x.argsort(axis=0); x.std(ddof=1); x.round(); round(np.array(1.6)); math.floor(np.array(1.5))
math.ceil(np.array(1.5)); math.trunc(np.array(1.5)); int(np.array(2.7)); int(x); float(x); bool(np.array(0))
bool(x); len(np.array(5)); len(np.zeros((0,2))); hash(x); [t for t in i]; i.__index__; [10,20][i[0]]; max(i)
sum(i); sorted(i); onp.add(i,i); onp.exp(x).shape; onp.mean(x); onp.multiply(2,x); onp.concatenate([x,x]).shape
onp.linalg.norm(x); type(onp.where(x>1,x,x)); onp.add.reduce(x); onp.cov(x); onp.stack([x,x]).shape; x[1,2]
x[:,1]; x[...,None].shape; x[np.array([1,0])]; x[[1,0]]; x[x>2]; x[onp.array([True,False])]; x[True].shape; x[7]
x[0,0,0]; x['a']; x[1.0]; i[::-1]; i[np.array([0.5])]; x[0,None]; x[np.array([True,False],dtype='bool')]
x[[True,False]]; x[np.array([[0,1]],dtype='int64')].shape; x[0:1,[0,1]].shape; x[-1]; x[onp.int64(1)]
x[np.array(1,dtype='int32')]; np.array(5.)[()]; x[()].shape; np.random.choice([1,2,3],2)
np.random.multinomial(3,[.7,.7]); np.random.randint(0,5,3,dtype='int32').dtype
np.random.normal(np.zeros(3),1,size=(2,3)).shape; np.random.choice(5).shape; np.random.choice(5,3).dtype
np.random.seed; np.random.randn(2,3).shape; np.random.shuffle(i); npx.random.bernoulli(0.5,0.5)
npx.random.normal_n(np.zeros(2),1,(3,)).shape; np.random.exponential(1.0,(2,)).dtype
np.random.normal(size=(2,),dtype='float64').dtype; np.random.beta(1.0,2.0,(2,)).dtype
npx.relu(np.array([-1.,1.])); npx.relu(legacy); npx.relu(2); npx.relu(); npx.fully_connected(x,num_hidden=2)
npx.topk(x,k=2,ret_typ='both'); npx.nonzero(x); npx.shape_array(x); npx.one_hot(np.array([1]),3)
npx.cast(x,'int32').dtype; npx.pick(np.array([[1.,2.]]),np.array([1])); npx.reshape(x,(-2,-1)).shape
npx.is_np_array(); npx.is_np_shape(); npx.cpu(); npx.gpu(0); npx.current_context(); npx.waitall(); npx.seed
npx.set_np(shape=False); mx.nd.relu(x); legacy + x
"""

SYMBOLS = r"""
abs(a); S.absolute(a); S.fabs(a); S.invert(a); S.bitwise_not(a); S.isposinf(a); S.isneginf(a); S.round(a,2)
S.around(a,decimals=1); S.logical_not(a); S.copysign(a,2); S.copysign(2.5,a); S.ldexp(2,a); S.ldexp(a,b)
S.lcm(a,2); S.bitwise_and(a,b); S.bitwise_or(2,a); S.bitwise_xor(a,2); S.add(1,2); S.equal(a,True)
S.add(a,onp.float32(2)); S.add(a,onp.int64(2)); S.add(a,None); S.power(2,a); a+True; a+2; a+2.0; 2+a; 2.0+a; 2-a
a-2; a*2; 2*a; a/2; 2/a; a%2; 2%a; a**2; 2**a; -a; a==2; a!=2; a>2; a>=2; a<2; a<=2; 2<a; a+b; a-b; a*b; a/b
a%b; a**b; a==b; a!=b; a>b; a<b; a>=b; a<=b; S.sum(a,axis=0,dtype='float64',keepdims=True); S.sum(a,0)
S.sum(a,None); S.sum(a,initial=2); S.mean(a,0,'float64'); S.mean(a,axis=(1,)); S.mean(a,dtype=onp.float64)
S.prod(a,0); S.std(a,0,'float64'); S.var(a,dtype=onp.float64,ddof=1); S.amax(a); S.amin(a,axis=0); S.product(a)
S.sometrue(a); S.average(a,weights=b); S.average(a,returned=True); S.average(a,axis=0,weights=b,returned=True)
S.cumsum(a); S.cumsum(a,0,'float64'); S.argmax(a); S.argmin(a,axis=0); S.sort(a); S.sort(a,axis=None)
S.argsort(a,axis=None); S.sort(a,order='x'); S.tensordot(a,b); S.tensordot(a,b,(1,0))
S.tensordot(a,b,([1],[0])); S.inner(a,b); S.outer(a,b); S.vdot(a,b); S.trace(a,1,0,1)
S.einsum('ij,jk',a,b,optimize=True); S.concatenate((a,b)); S.concatenate([a,b],axis=None); S.stack([a,b],-1)
S.vstack((a,b)); S.row_stack((a,b)); S.hstack((a,b)); S.dstack((a,b)); S.column_stack((a,b)); S.append(a,b)
S.append(a,b,axis=0); S.split(a,3); S.split(a,(1,3),1); S.array_split(a,3); S.array_split(a,(1,2))
S.hsplit(a,(1,2)); S.vsplit(a,(1,)); S.dsplit(a,2); S.split(a,1); S.reshape(a,-1)
S.reshape(a,newshape=(1,-1),order='C'); S.transpose(a,axes=(1,0)); S.moveaxis(a,(0,1),(1,0)); S.squeeze(a,(0,1))
S.broadcast_to(a,3); S.tile(a,2); S.repeat(a,2,0); S.flip(a); S.flip(a,(0,1)); S.flipud(a); S.roll(a,1)
S.roll(a,(1,2),(0,1)); S.rot90(a,2,(1,0)); S.ravel(a); S.atleast_1d(a); S.atleast_2d(a,b); S.diag(a,1)
S.diagflat(a); S.diagonal(a,1); S.tril(a,k=1); S.diag_indices_from(a); S.pad(a,((1,1),),'reflect')
S.pad(a,((1,1),),'maximum'); S.pad(a,((1,1),),'wrap'); S.diff(a,2,0); S.ediff1d(a,to_end=b,to_begin=2)
S.clip(a,None,1); S.clip(a,0,1.5); S.clip(a,None,None); S.where(a,b,c); S.where(a,1,b); S.where(a,b,2)
S.where(a,1.5,2); S.unique(a,return_index=True); S.take(a,b); S.take(a,b,1,'wrap'); S.take(a,2)
S.nan_to_num(a,copy=False,nan=1,posinf=2,neginf=3); S.bincount(a,weights=b,minlength=3)
S.percentile(a,b,axis=0); S.quantile(a,0.5,keepdims=True); S.quantile(a,b); S.percentile(a,(25,75))
S.polyval(a,b); S.delete(a,1); S.delete(a,b,axis=0); S.delete(a,slice(0,2),0); S.insert(a,1,2); S.insert(a,1,b)
S.insert(a,b,c,axis=0); S.insert(a,slice(0,2),3); S.histogram(a,10,(0,1)); S.histogram(a,b); S.copy(a)
S.shares_memory(a,b); S.zeros((2,)); S.zeros(3,dtype='int32'); S.zeros((2,),ctx=mx.cpu(1))
S.ones(2,dtype=onp.int32); S.full((2,),3); S.full(2,3.5,dtype='int32'); S.full((2,),True); S.full((2,),b)
S.zeros_like(a); S.ones_like(a,dtype='int32'); S.full_like(a,2,dtype=onp.int32); S.arange(3); S.arange(1,5,2)
S.arange(1.5,dtype='int32'); S.linspace(0,1,5); S.linspace(0,1,5,endpoint=False,dtype='float64')
S.linspace(0,1,axis=1); S.logspace(0,1,3,True,2.0,'float64'); S.eye(2,3,1); S.eye(2,dtype='int32')
S.identity(3); S.indices((2,3)); S.hanning(3); S.hamming(3,dtype='float64'); S.zeros((2,),order='F'); S.array
S.meshgrid; S.nonzero; S.shape; S.foo; S.random.randn; S.random.multinomial; S.linalg.qr; S.random.normal()
S.random.normal(1,2.5,(2,3),'float64'); S.random.normal(a,1); S.random.normal(0,b,size=(2,))
S.random.uniform(0,1,size=2); S.random.uniform(a,b,dtype='float64'); S.random.rand(2,3); S.random.rand()
S.random.randint(5); S.random.randint(1,5,(2,),'int32'); S.random.choice(5,(2,),False); S.random.choice(5,3,p=b)
S.random.exponential(a); S.random.gamma(2.0,1.5,(2,)); S.random.gamma(a,b); S.random.beta(1.0,2.0,size=(2,))
S.random.gumbel(0,1,(2,)); S.random.logistic(size=2); S.random.lognormal(0.0,1.0,(2,))
S.random.pareto(2.0,(2,)); S.random.power(2.0,(2,)); S.random.rayleigh(a); S.random.weibull(2.0,3)
X.random.bernoulli(0.5,size=(2,)); X.random.bernoulli(None,0.5,(2,)); X.random.bernoulli(a)
X.random.normal_n(a,b,(2,)); X.random.uniform_n(a,1.0,batch_shape=2); S.linalg.norm(a); S.linalg.norm(a,2)
S.linalg.norm(a,1,0); S.linalg.norm(a,axis=(0,1)); S.linalg.norm(a,'fro',(0,1),True); S.linalg.norm(a,'nuc')
S.linalg.norm(a,onp.inf,axis=(0,1)); S.linalg.norm(a,1,axis=(0,1)); S.linalg.norm(a,2,(0,1))
S.linalg.norm(a,'inf',axis=0); S.linalg.svd(a); S.linalg.inv(a); S.linalg.pinv(a,b); S.linalg.solve(a,b)
S.linalg.tensorsolve(a,b,(0,1)); S.linalg.eigh(a,'U'); S.linalg.eigvalsh(a,UPLO='U'); S.linalg.cholesky(a)
a.sum(); a.sum(axis=0,dtype='float64',keepdims=True); a.mean(0,'float64'); a.max(0); a.prod(); a.std()
a.var(ddof=1); a.argmax(); a.argsort(); a.cumsum(0); a.dot(b); a.clip(0,1); a.clip(); a.round(2); a.repeat(2)
a.take(b); a.squeeze(); a.flatten(); a.reshape(-1); a.reshape((2,3)); a.reshape(); a.transpose(1,0)
a.transpose((1,0)); a.T; a.diag(); a.copy(); a.astype('float16'); a.astype(onp.int32); a.astype(bool); a.exp()
a.relu(); a.item(); a.tolist(); a.asnumpy(); a.foo; a.swapaxes(0,1); a[0]; a[0,1]; a[:]; a[0:1]; a[:,1]; a[:,1:]
a[0,1:,2]; a[-1]; a[:,-1]; a[::-1]; a[::2,1]; a[...]; a[None]; a['a']; a[b]; a[0.5]; a[()]; a[1:-1]; a[[0,1]]
a[0][1]; S.split(a,2)[1]; S.concatenate([a,b])[0]; mx.sym.split(z,2).as_np_ndarray()[1]
mx.sym.split(z,2).as_np_ndarray()[5]; len(mx.sym.split(z,2).as_np_ndarray())
mx.sym.split(z,2).as_np_ndarray()['split0_output1']; len(a); list(a); bool(a); hash(a); float(a); a @ b; a // 2
a & 1; ~a; +a; X.relu(a); X.sigmoid(a,name='s'); X.softmax(a,axis=-1); X.fully_connected(a,num_hidden=3)
X.batch_norm(a); X.reshape(a,-1); X.topk(a,k=2,ret_typ='both')
X.rnn(a,b,c,state_size=3,num_layers=1,mode='gru'); X.nonzero(a); X.cast(a,'int32')
X.slice(a,begin=(0,),end=(1,)); X.arange_like(a); X.foo; X.relu(z); X.relu(1); S.exp(2.0); S.exp([1])
S.sum([1]); S.exp(x); X.relu(x); a+x; x+a; S.concatenate([a,1]); S.dot(a,2); S.where(a); S.mean(z)
S.transpose(z); S.exp(a,out=b); S.exp(a,foo=1); S.sum(a,name='foo'); z+a; a+z; a.as_nd_ndarray()
a.as_np_ndarray() is a
"""

PLACES = {"arrays": ARRAYS, "symbols": SYMBOLS}


def expressions(place: str) -> list[str]:
    """Return the expressions about arrays or about symbols."""
    return [e.strip() for line in PLACES[place].strip().split("\n") for e in line.split("; ")]


def evaluate(mx, expression: str) -> dict[str, str]:
    """Return what an expression gives: its value as text, or its error."""
    import numpy as onp

    np, npx = mx.np, mx.npx
    names = {
        "mx": mx, "np": np, "npx": npx, "onp": onp, "math": math, "S": mx.sym.np, "X": mx.sym.npx,
        "x": np.array([[0, 1, 2], [3, 4, 5]]), "i": np.array([1, 2, 3], dtype="int32"),
        "m": np.array([1, 0], dtype="bool"), "legacy": mx.nd.ones((2, 3)), "z": mx.sym.var("z"),
    }  # fmt: skip
    names |= {name: mx.sym.var(name).as_np_ndarray() for name in "abc"}
    try:
        with mx.name.NameManager(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return {"result": show(eval(expression, names))}
    except Exception as error:
        return {"raises": type(error).__name__, "message": without_places(str(error))}


def show(value) -> str:
    """Return a value as text: a symbol by its nodes, everything else by its repr."""
    if isinstance(value, list | tuple) and any(hasattr(v, "tojson") for v in value):
        return f"{type(value).__name__}: " + " | ".join(show(v) for v in value)
    if hasattr(value, "tojson") and not isinstance(value, type):
        nodes = json.loads(value.tojson())["nodes"]
        made = [f"{n['name']} = {n['op']}{n['inputs']} {n.get('attrs', {})}" for n in nodes if n["op"] != "null"]
        return f"{type(value).__name__} {value.list_outputs()} " + "; ".join(made)
    text = str(value) if isinstance(value, numpy.generic) else repr(value)  # since 2.0, NumPy writes its own type
    return re.sub(r"\s+", " ", text)


def without_places(message: str) -> str:
    """Return MXNet's message without places in its sources, and without the list of possible arguments."""
    message = re.sub(r'Traceback \(most recent call last\):\n  File "[^"]*", line \d+\n', "", message)
    message = re.sub(r"\[\d\d:\d\d:\d\d\] [^ ]*:\d+: ", "", message)
    message = re.sub(r"^(?:MXNetError: )+", "", message)
    return re.sub(r"\s+", " ", message).strip()


if __name__ == "__main__":
    import mxnet

    mxnet.npx.set_np()
    found = {place: {e: evaluate(mxnet, e) for e in expressions(place)} for place in PLACES}
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump(found, file, indent=0, sort_keys=True)
